/**
 * Somebody is there, until the lease ends. Others of the channel whose lease has ended are removed, a few at a time.
 * ARGV the channel, the connection, the lease in milliseconds, what the connection says
 * Result: 1, {}; or 0, {} where it was there already
 */
import { writing } from '../pieces/script.ts'

export const RENEW_PRESENCE = writing('renewPresence')`
local channel, connection, lease, said = arg(), arg(), number(), arg()
local untilKey, saidKey = K.presenceUntil .. channel, K.presence .. channel
need('zset', untilKey)
need('hash', saidKey)
for _, ended in ipairs(call('ZRANGEBYSCORE', untilKey, '-inf', whole(now), 'LIMIT', 0, 100)) do
  call('ZREM', untilKey, ended)
  call('HDEL', saidKey, ended)
end
local before = call('HGET', saidKey, connection)
call('ZADD', untilKey, whole(math.ceil(now + lease)), connection)
call('HSET', saidKey, connection, said)
-- A lease that merely goes on is no news.
if before == said then return { 0, {} } end
tell()
return { 1, {} }
`
