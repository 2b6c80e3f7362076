/**
 * Calls by their ids. `readCall` takes nine of ARGV: session, id, verdict, digest, because, creation, bytes, key, and the rest
 * as a text. `used` are those that the script is going to write, by session and id.
 */
export const CALL = `
local used = {}
local lastCall
local function readCall()
  return {
    session = arg(), id = arg(), verdict = arg(), digest = arg(), because = arg(), createdAt = number(),
    bytes = arg(), key = arg(), rest = arg(),
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
  call('HSET', K.callIds .. record.session, record.id, record.seq)
  call('HSET', K.meta, 'calls', whole(tonumber(record.seq)))
  call('ZADD', K.judged, 0, record.seq)
  call('ZADD', K.judgedIn .. record.session, 0, record.seq)
  if record.bytes ~= '' then call('ZADD', K.kept, 0, sortable(record.createdAt) .. record.seq) end
end
`
