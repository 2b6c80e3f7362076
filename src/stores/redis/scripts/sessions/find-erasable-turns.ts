/**
 * A bounded look at turns that were written before a moment and are not erased.
 * ARGV where to go on, the moment, how many to look at
 * Result: the last member that was looked at or an empty text, and the members of those that may be erased
 */
import { reading } from '../pieces/script.ts'

export const FIND_ERASABLE_TURNS = reading('findErasableTurns')`
local after, before, most = arg(), number(), number()
local last, found = '', {}
for _, member in ipairs(call('ZRANGEBYLEX', K.keptTurns, after, '(' .. sortable(before), 'LIMIT', 0, most)) do
  last = member
  if not call('ZSCORE', K.unfinished, string.sub(member, 33)) then found[#found + 1] = member end
end
return { last, found }
`
