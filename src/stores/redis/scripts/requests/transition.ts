/**
 * Changes requests in one step, all or nothing (P2, P4). One change is a list of one.
 * ARGV how many, then the changes
 * Result: 1, numbers, the new deadlines; or 0, {}, and for each that lost its id and its fields (none where there is no such)
 */
import { CHANGE } from '../pieces/change-piece.ts'
import { JOURNAL } from '../pieces/journal-piece.ts'
import { REQUEST } from '../pieces/request-piece.ts'
import { RESULT } from '../pieces/result-piece.ts'
import { writing } from '../pieces/script.ts'

export const TRANSITION = writing('transition', JOURNAL, REQUEST, RESULT, CHANGE)`
for _ = 1, number() do readChange() end
local lost = checkChanges()
if #lost > 0 then
  local told = {}
  for index, id in ipairs(lost) do told[index] = { id, call('HGETALL', K.request .. id) } end
  return { 0, {}, told }
end
checkEntries()

local numbers = writeEntries()
local deadlines = writeChanges()
tell()
return { 1, numbers, deadlines }
`
