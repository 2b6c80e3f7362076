/**
 * Takes deliveries that are due, those that wait longest first.
 * ARGV how many at most, the lease in milliseconds, how many channels, the channels
 * Result: 1 or (where none is due) 0, {}, and of each: request, channel, version shown, attempts, ticket, and the reference if there is one
 */
import { REQUEST } from '../pieces/request-piece.ts'
import { writing } from '../pieces/script.ts'

export const TAKE_DELIVERIES = writing('takeDeliveries', REQUEST)`
local most, lease = number(), number()
local found = {}
for _ = 1, number() do
  local channel = arg()
  for _, member in ipairs(call('ZRANGEBYLEX', K.waiting .. channel, '-', '(' .. sortable(now + 1), 'LIMIT', 0, most)) do
    found[#found + 1] = { member = member, channel = channel, request = string.sub(member, 17) }
  end
end
table.sort(found, function(one, other)
  if one.member ~= other.member then return one.member < other.member end
  return one.channel < other.channel
end)
local taken = {}
for index = 1, math.min(most, #found) do
  local each = found[index]
  each.key = deliveryKey(each.request, each.channel)
  local row = call('HMGET', each.key, 'shown', 'attempts', 'ticket', 'reference')
  each.shown, each.attempts, each.ticket, each.reference = tonumber(row[1]), tonumber(row[2]), tonumber(row[3]), row[4]
  if not (each.shown and each.attempts and each.ticket) then fail('corrupt a delivery waits that there is not') end
  taken[index] = each
end

local due = math.ceil(now + lease)
local told = {}
for index, each in ipairs(taken) do
  local attempts, ticket = each.attempts + 1, each.ticket + 1
  call('HSET', each.key, 'due', whole(due), 'attempts', whole(attempts), 'ticket', whole(ticket))
  call('ZREM', K.waiting .. each.channel, each.member)
  call('ZADD', K.waiting .. each.channel, 0, sortable(due) .. each.request)
  told[index] = { each.request, each.channel, each.shown, attempts, ticket }
  if each.reference then told[index][6] = each.reference end
end
return { math.min(1, #told), {}, told }
`
