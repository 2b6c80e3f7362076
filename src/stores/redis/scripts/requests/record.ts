/**
 * Records a call that grants covered, with one use of each.
 * ARGV the entry, the session, the call, then: how many grants, their ids, and what it follows
 * Result: 1, numbers; or 0, {}, and `existing` with digest, verdict, because and perhaps the request, or `refused` with the code
 */
import { CALL } from '../pieces/call-piece.ts'
import { JOURNAL } from '../pieces/journal-piece.ts'
import { writing } from '../pieces/script.ts'
import { SESSION } from '../pieces/session-piece.ts'

export const RECORD = writing('record', JOURNAL, SESSION, CALL)`
readEntry()
local draft = readSession()
local record = readCall()
local uses, ids = {}, {}
for _ = 1, number() do
  local id = arg()
  if not uses[id] then ids[#ids + 1] = id end
  uses[id] = (uses[id] or 0) + 1
end
local following = readFollowing()

local admission = admit(draft)
if admission == 'not_yours' then return { 0, {}, 'refused', admission } end
local before = inTheWay(record.session, record.id, record.digest, following)
if before then return { 0, {}, 'existing', toldOf(before) } end
if admission == 'session_ended' then return { 0, {}, 'refused', admission } end
local left, total, tools = {}, {}, {}
for _, id in ipairs(ids) do
  local row = call('HMGET', K.grant .. id, 'tool', 'revokedAt', 'expiresAt', 'usesLeft', 'uses')
  local isSpent = not row[1] or row[2] or (row[3] and tonumber(row[3]) <= now) or (row[4] and tonumber(row[4]) < uses[id])
  if isSpent then return { 0, {}, 'refused', 'grant_spent' } end
  if row[4] then left[id] = tonumber(row[4]) - uses[id] end
  total[id] = tonumber(row[5]) + uses[id]
  tools[id] = row[1]
  need('zset', K.grantsFor .. row[1])
end
if admission == 'new' then checkSession(draft) end
checkCall(record)
checkEntries()

local numbers = writeEntries()
if admission == 'new' then writeSession(draft) end
writeCall(record)
for _, id in ipairs(ids) do
  call('HSET', K.grant .. id, 'uses', whole(total[id]))
  if left[id] then call('HSET', K.grant .. id, 'usesLeft', whole(left[id])) end
  if left[id] == 0 then call('ZREM', K.grantsFor .. tools[id], id) end
end
tell()
return { 1, numbers }
`
