/**
 * A page of a sorted set whose members name hashes.
 * ARGV the set, the first and the last bound (in the order of reading), `up` or `down`, how many, how long the part before the
 *   id is, what the hashes' names begin with, and a field that must have a value: its name or an empty text, and the value
 * Result: of each the member and the fields
 */
import { reading } from './pieces/script.ts'

export const PAGE = reading('page')`
local set, first, last, direction, most, skip, hashes, field, value =
  arg(), arg(), arg(), arg(), number(), number(), arg(), arg(), arg()
local range = 'ZRANGEBYLEX'
if direction == 'down' then range = 'ZREVRANGEBYLEX' end
local found = {}
repeat
  local members = call(range, set, first, last, 'LIMIT', 0, most)
  for _, member in ipairs(members) do
    local key = hashes .. string.sub(member, skip + 1)
    if #found < most and (field == '' or call('HGET', key, field) == value) then
      found[#found + 1] = { member, call('HGETALL', key) }
    end
    first = '(' .. member
  end
until #found >= most or #members < most
return found
`
