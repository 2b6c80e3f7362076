/** Runs on every new connection before anything else: makes the namespace, and finds out whether the server is another one. */
import { compose } from './pieces/script.ts'

/**
 * KEYS 1 the key `meta`
 * ARGV 1 our schema, 2 the server's replication id and run id, 3 an empty text where something may be lost, else `strict`, or
 *   `promoted` where the server was a replica once: it may lack what its primary had acknowledged
 * Result: the epoch, and what stood in the place of ARGV 2 (an empty text where the namespace is new)
 *
 * A namespace of an older schema gets ours: there is nothing else to change in it.
 * Full memory does not keep it from running: a store that can't be written can still be read.
 * That such a server was refused stands in the namespace until somebody accepts it: once it is started anew, or the namespace
 * is moved to another node, nothing else would tell.
 * The epoch is a time, so that a namespace that was lost and made anew never gets one that it had before.
 */
export const BEGIN = compose(
  'begin',
  `#!lua flags=allow-oom
local meta = KEYS[1]
local kind = redis.call('TYPE', meta).ok
if kind ~= 'none' and kind ~= 'hash' then error({ err = 'BANKSMAN foreign' }) end
local row = redis.call('HMGET', meta, 'schema', 'epoch', 'server', 'refused')
local isStrict = ARGV[3] ~= ''
if kind == 'hash' and not (row[1] and row[2] and row[3]) then error({ err = 'BANKSMAN foreign' }) end
if row[1] and tonumber(row[1]) > tonumber(ARGV[1]) then error({ err = 'BANKSMAN schema ' .. row[1] }) end
if row[4] and isStrict then error({ err = 'BANKSMAN promoted' }) end
if row[4] then redis.call('HDEL', meta, 'refused') end
if row[3] == ARGV[2] then
  if row[1] ~= ARGV[1] then redis.call('HSET', meta, 'schema', ARGV[1]) end
  return { row[2], row[3] }
end
local replid = '^[^/]*'
if row[3] and ARGV[3] == 'promoted' and string.match(row[3], replid) ~= string.match(ARGV[2], replid) then
  redis.call('HSET', meta, 'refused', ARGV[2])
  error({ err = 'BANKSMAN promoted' })
end
local time = redis.call('TIME')
local epoch = time[1] * 1000 + math.floor(time[2] / 1000)
if row[2] then epoch = math.max(epoch, tonumber(row[2]) + 1) end
local text = string.format('%.0f', epoch)
redis.call('HSET', meta, 'schema', ARGV[1], 'epoch', text, 'server', ARGV[2])
return { text, row[3] or '' }
`,
)
