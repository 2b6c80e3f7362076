/**
 * A bounded look at calls that were created before a moment and still have their bytes.
 * ARGV where to go on, the moment, how many to look at, how many final states, them
 * Result: the last member that was looked at or an empty text, and of each that may be erased: its member, and its request's
 *   id and fields where there is one
 */
import { reading } from '../pieces/script.ts'

export const FIND_ERASABLE_CALLS = reading('findErasableCalls')`
local after, before, most = arg(), number(), number()
local isFinal = {}
for _ = 1, number() do isFinal[arg()] = true end
local last, found = '', {}
for _, member in ipairs(call('ZRANGEBYLEX', K.kept, after, '(' .. sortable(before), 'LIMIT', 0, most)) do
  last = member
  local request = call('HGET', K.call .. string.sub(member, 17), 'request')
  if not request then
    found[#found + 1] = { member }
  elseif isFinal[call('HGET', K.request .. request, 'state')] then
    found[#found + 1] = { member, request, call('HMGET', K.request .. request, 'version', 'rest', 'progress') }
  end
end
return { last, found }
`
