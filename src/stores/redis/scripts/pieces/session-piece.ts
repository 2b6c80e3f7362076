/**
 * Who may use a session. `readSession` takes four of ARGV: id, owner, role, parent or nothing. `made` are the sessions that
 * the script is going to make, so that a batch sees those of its own beginning.
 */
export const SESSION = `
local made = {}
local function readSession()
  return { id = arg(), owner = arg(), role = arg(), parent = optional() }
end
local function lookAt(id)
  if made[id] then return made[id], false end
  local row = call('HMGET', K.session .. id, 'owner', 'endedAt')
  return row[1], row[2]
end
local function admit(draft)
  local owner, ended = lookAt(draft.id)
  local isParent = false
  if not owner and draft.parent then
    owner, ended = lookAt(draft.parent)
    isParent = true
  end
  if not owner then return 'new' end
  if owner ~= draft.owner then return 'not_yours' end
  if ended then return 'session_ended' end
  if isParent then return 'new' end
  return 'open'
end
local function checkSession(draft)
  made[draft.id] = draft.owner
  need('hash', K.session .. draft.id)
  need('zset', K.sessions, K.sessionsOf .. draft.owner)
  if draft.parent then need('set', K.children .. draft.parent, K.openChildren .. draft.parent) end
end
local function writeSession(draft)
  local key = K.session .. draft.id
  call('HSET', key, 'owner', draft.owner, 'role', draft.role, 'createdAt', whole(now))
  if draft.parent then
    call('HSET', key, 'parent', draft.parent)
    local mode = call('HGET', K.session .. draft.parent, 'mode')
    if mode then call('HSET', key, 'mode', mode) end
    call('SADD', K.children .. draft.parent, draft.id)
    call('SADD', K.openChildren .. draft.parent, draft.id)
  end
  call('ZADD', K.sessions, 0, sortable(now) .. draft.id)
  call('ZADD', K.sessionsOf .. draft.owner, 0, sortable(now) .. draft.id)
end
`
