/**
 * Leases whose name begins so and that have not ended.
 * ARGV the beginning
 * Result: of each the name and its fields
 */
import { reading } from '../pieces/script.ts'

export const LIST_LEASES = reading('listLeases')`
local prefix = arg()
local found = {}
-- No text holds the byte 255, so this is above every name that begins so.
for _, name in ipairs(call('ZRANGEBYLEX', K.leases, '[' .. prefix, '(' .. prefix .. string.char(255))) do
  local ends = call('HGET', K.lease .. name, 'until')
  if ends and tonumber(ends) > now then found[#found + 1] = { name, call('HGETALL', K.lease .. name) } end
end
return found
`
