/**
 * Opens a request with its session, deliveries and entry (P1).
 * ARGV the entry, the session, then: how many may be pending, state, request, call id, subject, how long until it expires,
 *   digest, because, bytes, key, the rest of the draft, how many channels, the channels, and what it follows
 * Result: 1, numbers, creation, deadline or an empty text; or 0, {}, and `existing` with the request's fields, `known` with
 *   digest, verdict and because, `conflict` with the digest, or `refused` with the code
 */
import { CALL } from '../pieces/call-piece.ts'
import { JOURNAL } from '../pieces/journal-piece.ts'
import { REQUEST } from '../pieces/request-piece.ts'
import { writing } from '../pieces/script.ts'
import { SESSION } from '../pieces/session-piece.ts'

export const OPEN = writing('open', JOURNAL, SESSION, CALL, REQUEST)`
readEntry()
local draft = readSession()
local most, state, id, callId, subject, span = number(), arg(), arg(), arg(), arg(), number()
local digest, because, bytes, key, rest = arg(), arg(), arg(), arg(), arg()
local channels = {}
for index = 1, number() do channels[index] = arg() end
local following = readFollowing()

local admission = admit(draft)
if admission == 'not_yours' then return { 0, {}, 'refused', admission } end
local before = inTheWay(draft.id, callId, digest, following)
if before then
  if before.digest ~= digest then return { 0, {}, 'conflict', before.digest } end
  if before.request then return { 0, {}, 'existing', before.request, call('HGETALL', K.request .. before.request) } end
  return { 0, {}, 'known', before.digest, before.verdict, before.because }
end
if admission == 'session_ended' then return { 0, {}, 'refused', admission } end
if call('ZCARD', K.inSession .. 'pending:' .. draft.id) >= most then return { 0, {}, 'refused', 'too_many_pending' } end
if call('EXISTS', K.request .. id) == 1 then fail('taken request') end
local row = { id = id, state = state, session = draft.id, subject = subject, createdAt = now }
if state == 'pending' then row.deadline = math.min(LATEST, math.floor(now + span)) end
local seq = nextCall()
if admission == 'new' then checkSession(draft) end
checkPlaces(row)
need('hash', K.callIds .. draft.id)
need('zset', K.kept)
need('none', K.channelsOf .. id)
for _, channel in ipairs(channels) do
  need('none', deliveryKey(id, channel))
  need('zset', K.waiting .. channel)
end
checkEntries()

local numbers = writeEntries()
if admission == 'new' then writeSession(draft) end
local deadline = ''
if row.deadline then deadline = whole(row.deadline) end
call('HSET', K.request .. id, 'session', draft.id, 'subject', subject, 'state', state, 'version', '1', 'createdAt', whole(now),
  'deadline', deadline, 'progress', '{}', 'digest', digest, 'because', because, 'bytes', bytes, 'key', key, 'rest', rest)
place(row)
call('HSET', K.call .. seq, 'request', id)
call('HSET', K.callIds .. draft.id, callId, seq)
call('HSET', K.meta, 'calls', whole(tonumber(seq)))
if bytes ~= '' then call('ZADD', K.kept, 0, sortable(now) .. seq) end
for _, channel in ipairs(channels) do
  call('HSET', deliveryKey(id, channel), 'shown', '0', 'due', '0', 'attempts', '0', 'ticket', '0')
  call('SADD', K.channelsOf .. id, channel)
  call('ZADD', K.waiting .. channel, 0, sortable(0) .. id)
end
tell()
return { 1, numbers, whole(now), deadline }
`
