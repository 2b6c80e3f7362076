/**
 * Requests whose deadline has come, the longest overdue first.
 * ARGV how many
 * Result: of each the id and the fields
 */
import { reading } from '../pieces/script.ts'

export const LIST_DUE = reading('listDue')`
local found = {}
for _, member in ipairs(call('ZRANGEBYLEX', K.due, '-', '(' .. sortable(now + 1), 'LIMIT', 0, number())) do
  local id = string.sub(member, 17)
  found[#found + 1] = { id, call('HGETALL', K.request .. id) }
end
return found
`
