/**
 * Calls by their ids. `readCall` takes eleven of ARGV: session, id, verdict, digest, because, creation, bytes, key, the rest as a
 * text, and of its hold the version and the text or nothing. `used` are those that the script is going to write, by session
 * and id. `readFollowing` takes the request that a call follows or nothing, how many final states, and them.
 */
export const CALL = `
local used = {}
local lastCall
local function readCall()
  return {
    session = arg(), id = arg(), verdict = arg(), digest = arg(), because = arg(), createdAt = number(),
    bytes = arg(), key = arg(), rest = arg(), holdVersion = optional(), hold = optional(),
  }
end
-- What is known of a call id: digest, verdict, because, and the request if there is one.
local function known(session, id)
  local own = used[session] and used[session][id]
  if own then return { digest = own.digest, verdict = own.verdict, because = own.because } end
  local seq = call('HGET', K.callIds .. session, id)
  if not seq then return nil end
  local row = call('HMGET', K.call .. seq, 'request', 'digest', 'verdict', 'because')
  if row[1] then
    local request = call('HMGET', K.request .. row[1], 'digest', 'because')
    if not request[1] then fail('corrupt a call names a request that there is not') end
    return { request = row[1], digest = request[1], verdict = 'ask', because = request[2] }
  end
  if not row[2] then fail('corrupt a call id names a call that there is not') end
  return { digest = row[2], verdict = row[3], because = row[4] }
end
local function readFollowing()
  local following = { request = optional(), isFinal = {} }
  for _ = 1, number() do following.isFinal[arg()] = true end
  return following
end
-- What has the call id, unless it steps aside for the one that follows it.
local function inTheWay(session, id, digest, following)
  local before = known(session, id)
  if not following.request then return before end
  if not before then fail('unfollowed') end
  if before.request ~= following.request or before.digest ~= digest then return before end
  if following.isFinal[call('HGET', K.request .. before.request, 'state')] then return nil end
  return before
end
local function toldOf(before)
  local told = { before.digest, before.verdict, before.because }
  if before.request then told[4] = before.request end
  return told
end
-- The number of the next call, as it stands in names.
local function nextCall()
  lastCall = (lastCall or tonumber(call('HGET', K.meta, 'calls') or 0)) + 1
  local seq = sortable(lastCall)
  if call('EXISTS', K.call .. seq) == 1 then fail('corrupt the next call is already there') end
  return seq
end
local function checkCall(record)
  used[record.session] = used[record.session] or {}
  used[record.session][record.id] = record
  record.seq = nextCall()
  need('hash', K.callIds .. record.session)
  need('zset', K.judged, K.judgedIn .. record.session, K.kept)
end
local function writeCall(record)
  call('HSET', K.call .. record.seq, 'digest', record.digest, 'verdict', record.verdict, 'because', record.because,
    'bytes', record.bytes, 'key', record.key, 'rest', record.rest)
  if record.hold then call('HSET', K.call .. record.seq, 'holdVersion', record.holdVersion, 'hold', record.hold) end
  call('HSET', K.callIds .. record.session, record.id, record.seq)
  call('HSET', K.meta, 'calls', whole(tonumber(record.seq)))
  call('ZADD', K.judged, 0, record.seq)
  call('ZADD', K.judgedIn .. record.session, 0, record.seq)
  if record.bytes ~= '' then call('ZADD', K.kept, 0, sortable(record.createdAt) .. record.seq) end
end
`
