/**
 * Somebody has left.
 * ARGV the channel, the connection
 * Result: 1, {}; or 0, {} where it was not there
 */
import { writing } from '../pieces/script.ts'

export const LEAVE_PRESENCE = writing('leavePresence')`
local channel, connection = arg(), arg()
need('zset', K.presenceUntil .. channel)
need('hash', K.presence .. channel)
local gone = call('ZREM', K.presenceUntil .. channel, connection)
call('HDEL', K.presence .. channel, connection)
if gone == 1 then tell() end
return { gone, {} }
`
