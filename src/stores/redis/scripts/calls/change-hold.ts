/**
 * Changes who has a call that nobody was asked about, and keeps its result.
 * ARGV session, call id, digest, the version that its hold must have, the version and the text of the new one, the result or
 *   nothing, how many entries (none or one), them
 * Result: 1, numbers; or 0, {}, and the hold that is there, if there is one
 */
import { JOURNAL } from '../pieces/journal-piece.ts'
import { RESULT } from '../pieces/result-piece.ts'
import { writing } from '../pieces/script.ts'

export const CHANGE_HOLD = writing('changeHold', JOURNAL, RESULT)`
local session, id, digest, version, next, hold, result =
  arg(), arg(), arg(), number(), arg(), arg(), optional()
for _ = 1, number() do readEntry() end
local seq = call('HGET', K.callIds .. session, id)
if not seq then return { 0, {} } end
local row = call('HMGET', K.call .. seq, 'request', 'digest', 'holdVersion', 'hold', 'bytes')
if row[1] or row[2] ~= digest then return { 0, {} } end
if tonumber(row[3] or 0) ~= version then
  local told = { 0, {} }
  if row[4] then told[3] = row[4] end
  return told
end
need('hash', K.results)
checkEntries()

local numbers = writeEntries()
call('HSET', K.call .. seq, 'holdVersion', next, 'hold', hold)
if result and row[5] ~= '' then call('HSET', K.results, ofCall(seq), result) end
tell()
return { 1, numbers }
`
