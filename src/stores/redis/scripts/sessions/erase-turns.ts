/**
 * Puts null in the place of turns, if all that were found can still be erased.
 * ARGV the entry, how many, then of each its member of the sorted set
 * Result: 1, numbers; or 0, {} when one of them was erased or goes on again
 */
import { JOURNAL } from '../pieces/journal-piece.ts'
import { writing } from '../pieces/script.ts'

export const ERASE_TURNS = writing('eraseTurns', JOURNAL)`
readEntry()
local found = {}
for index = 1, number() do found[index] = arg() end
for _, member in ipairs(found) do
  if not call('ZSCORE', K.keptTurns, member) then return { 0, {} } end
  local session = string.sub(member, 33)
  if call('ZSCORE', K.unfinished, session) then return { 0, {} } end
  need('hash', K.turns .. session)
end
checkEntries()

local numbers = writeEntries()
for _, member in ipairs(found) do
  call('HSET', K.turns .. string.sub(member, 33), whole(tonumber(string.sub(member, 17, 32))), 'null')
  call('ZREM', K.keptTurns, member)
end
tell()
return { 1, numbers }
`
