/**
 * Changes of requests. `readChange` takes of ARGV: id, version, state before and after, progress, the deadline (`keep`,
 * `none`, how long in milliseconds, or a moment after an `@`), the guard (`before`, `after` or nothing), 1 and a grant or 0, the
 * result or nothing, and an entry. It comes after `RESULT`.
 * `checkChanges` gives the ids of those that lose; only where there is none may `writeChanges` follow.
 */
export const CHANGE = `
local changes, times = {}, {}
local function readGrant()
  return {
    id = arg(), tool = arg(), session = optional(), expiresAt = optional(), usesLeft = optional(), uses = arg(), rest = arg(),
  }
end
local function readChange()
  local change = {
    id = arg(), version = number(), from = arg(), to = arg(), progress = arg(), wanted = arg(), guard = arg(),
  }
  if arg() == '1' then change.grant = readGrant() end
  change.result = optional()
  readEntry()
  changes[#changes + 1] = change
  times[change.id] = (times[change.id] or 0) + 1
end
local function holds(change)
  if times[change.id] > 1 then return false end
  local found = call('HMGET', K.request .. change.id, 'state', 'version', 'deadline', 'session', 'subject', 'createdAt')
  if found[1] ~= change.from or tonumber(found[2]) ~= change.version then return false end
  local row = {
    id = change.id, state = found[1], deadline = tonumber(found[3]), session = found[4], subject = found[5],
    createdAt = tonumber(found[6]),
  }
  if not (row.session and row.subject and row.createdAt) then fail('corrupt a request lacks a part') end
  if change.guard == 'before' and row.deadline and row.deadline <= now then return false end
  if change.guard == 'after' and not (row.deadline and row.deadline <= now) then return false end
  change.row = row
  change.deadline = row.deadline
  if change.wanted == 'none' then change.deadline = nil
  elseif string.sub(change.wanted, 1, 1) == '@' then
    change.deadline = math.min(LATEST, math.floor(tonumber(string.sub(change.wanted, 2))))
  elseif change.wanted ~= 'keep' then change.deadline = math.min(LATEST, math.floor(now + tonumber(change.wanted))) end
  change.after = {
    id = row.id, state = change.to, deadline = change.deadline, session = row.session, subject = row.subject,
    createdAt = row.createdAt,
  }
  return true
end
local function checkChanges()
  local lost, seen, grants = {}, {}, {}
  for _, change in ipairs(changes) do
    if not seen[change.id] then
      seen[change.id] = true
      if not holds(change) then lost[#lost + 1] = change.id end
    end
  end
  if #lost > 0 then return lost end
  for _, change in ipairs(changes) do
    checkPlaces(change.row)
    checkPlaces(change.after)
    change.deliveries = checkDeliveries(change.id)
    if change.result then need('hash', K.results) end
    local grant = change.grant
    if grant then
      if grants[grant.id] or call('EXISTS', K.grant .. grant.id) == 1 then fail('taken grant') end
      grants[grant.id] = true
      need('zset', K.grants, K.grantsFor .. grant.tool)
      need('set', K.grantedTools)
    end
  end
  return lost
end
local function writeGrant(grant)
  local key = K.grant .. grant.id
  call('HSET', key, 'tool', grant.tool, 'uses', grant.uses, 'rest', grant.rest)
  if grant.session then call('HSET', key, 'session', grant.session) end
  if grant.expiresAt then call('HSET', key, 'expiresAt', grant.expiresAt) end
  if grant.usesLeft then call('HSET', key, 'usesLeft', grant.usesLeft) end
  call('ZADD', K.grants, 0, grant.id)
  call('SADD', K.grantedTools, grant.tool)
  if not grant.usesLeft or tonumber(grant.usesLeft) > 0 then
    call('ZADD', K.grantsFor .. grant.tool, grant.expiresAt or '+inf', grant.id)
  end
end
-- Gives the new deadlines, in order; an empty text where there is none.
local function writeChanges()
  local deadlines = {}
  for index, change in ipairs(changes) do
    unplace(change.row)
    place(change.after)
    local deadline = ''
    if change.deadline then deadline = whole(change.deadline) end
    call('HSET', K.request .. change.id, 'state', change.to, 'version', whole(change.version + 1),
      'deadline', deadline, 'progress', change.progress)
    touchDeliveries(change.id, change.deliveries, change.version + 1)
    if change.grant then writeGrant(change.grant) end
    if change.result and call('HGET', K.request .. change.id, 'bytes') ~= '' then
      call('HSET', K.results, ofRequest(change.id), change.result)
    end
    deadlines[index] = deadline
  end
  return deadlines
end
`
