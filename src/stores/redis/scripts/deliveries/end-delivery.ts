/**
 * Ends the lease of a delivery: it was shown, or it failed.
 * ARGV request, channel, ticket, `shown` or `failed`, the version shown or the milliseconds until it is due again, and the
 *   reference or nothing
 * Result: 1, {}; or 0, {} where the ticket is not the last one
 */
import { REQUEST } from '../pieces/request-piece.ts'
import { writing } from '../pieces/script.ts'

export const END_DELIVERY = writing('endDelivery', REQUEST)`
local request, channel, ticket, what, value, reference = arg(), arg(), arg(), arg(), number(), optional()
local key, waiting = deliveryKey(request, channel), K.waiting .. channel
local row = call('HMGET', key, 'ticket', 'shown', 'due')
if row[1] ~= ticket then return { 0, {} } end
local version = tonumber(call('HGET', K.request .. request, 'version') or 0)
local shown, due, dueBefore = tonumber(row[2]), math.ceil(now + value), tonumber(row[3])
if not (shown and dueBefore) then fail('corrupt a delivery lacks a part') end
need('zset', waiting)

if what == 'shown' then
  shown, due = math.max(shown, value), 0
  call('HSET', key, 'shown', whole(shown), 'attempts', '0')
  if reference then call('HSET', key, 'reference', reference) end
end
call('HSET', key, 'due', whole(due))
call('ZREM', waiting, sortable(dueBefore) .. request)
if shown < version then
  call('ZADD', waiting, 0, sortable(due) .. request)
  tell()
end
return { 1, {} }
`
