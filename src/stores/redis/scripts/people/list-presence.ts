/**
 * Who is there.
 * ARGV the channel
 * Result: what each connection says
 */
import { reading } from '../pieces/script.ts'

export const LIST_PRESENCE = reading('listPresence')`
local channel = arg()
local found = {}
for _, connection in ipairs(call('ZRANGEBYSCORE', K.presenceUntil .. channel, '(' .. whole(now), '+inf')) do
  found[#found + 1] = call('HGET', K.presence .. channel, connection)
end
return found
`
