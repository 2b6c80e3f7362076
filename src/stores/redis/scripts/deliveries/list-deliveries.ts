/**
 * The deliveries of a request.
 * ARGV the request's id
 * Result: of each the channel and its fields
 */
import { REQUEST } from '../pieces/request-piece.ts'
import { reading } from '../pieces/script.ts'

export const LIST_DELIVERIES = reading('listDeliveries', REQUEST)`
local request = arg()
local found = {}
for _, channel in ipairs(call('SMEMBERS', K.channelsOf .. request)) do
  found[#found + 1] = { channel, call('HGETALL', deliveryKey(request, channel)) }
end
return found
`
