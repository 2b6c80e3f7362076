/**
 * Takes or prolongs a lease, or says who has it. Others that have ended are removed, a few at a time.
 * ARGV name, holder, milliseconds, the note or nothing
 * Result: 1 when it has another holder than before and 0 when not, {}, holder, fence, when it ends, and the note if there is one
 */
import { writing } from '../pieces/script.ts'

export const TAKE_LEASE = writing('takeLease')`
local name, holder, span, note = arg(), arg(), number(), optional()
local key = K.lease .. name
local row = call('HMGET', key, 'holder', 'fence', 'until', 'note')
local isHeld = row[1] and row[3] and tonumber(row[3]) > now
if isHeld and row[1] ~= holder then
  local told = { 0, {}, row[1], tonumber(row[2]), row[3] }
  if row[4] then told[6] = row[4] end
  return told
end
need('zset', K.leases, K.leasesUntil)
local fence = tonumber(row[2])
if not isHeld then fence = tonumber(call('HGET', K.meta, 'fence') or 0) + 1 end
if not fence then fail('corrupt a lease lacks its fence') end
local ended = call('ZRANGEBYSCORE', K.leasesUntil, '-inf', whole(now), 'LIMIT', 0, 20)
for _, other in ipairs(ended) do need('hash', K.lease .. other) end

for _, other in ipairs(ended) do
  call('DEL', K.lease .. other)
  call('ZREM', K.leases, other)
  call('ZREM', K.leasesUntil, other)
end
local finish = whole(math.ceil(now + span))
call('DEL', key)
call('HSET', key, 'holder', holder, 'fence', whole(fence), 'until', finish)
if note then call('HSET', key, 'note', note) end
call('ZADD', K.leases, 0, name)
call('ZADD', K.leasesUntil, finish, name)
local changed = 0
if not isHeld then
  call('HSET', K.meta, 'fence', whole(fence))
  tell()
  changed = 1
end
local told = { changed, {}, holder, fence, finish }
if note then told[6] = note end
return told
`
