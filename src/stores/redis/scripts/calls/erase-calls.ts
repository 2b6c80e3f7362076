/**
 * Erases the bytes, keys and results of calls, and of requests what the caller has taken out of the rest and the progress.
 * ARGV the entry, how many, then of each: its member of the sorted set, and its request or nothing; with a request also the
 *   version that was read, the rest and the progress as they are to be
 * Result: 1, numbers; or 0, {} when one of them was erased or changed meanwhile
 */
import { JOURNAL } from '../pieces/journal-piece.ts'
import { RESULT } from '../pieces/result-piece.ts'
import { writing } from '../pieces/script.ts'

export const ERASE_CALLS = writing('eraseCalls', JOURNAL, RESULT)`
readEntry()
local found = {}
for index = 1, number() do
  local each = { member = arg(), request = optional() }
  if each.request then
    each.version, each.rest, each.progress = arg(), arg(), arg()
    if call('HGET', K.request .. each.request, 'version') ~= each.version then return { 0, {} } end
  else
    need('hash', K.call .. string.sub(each.member, 17))
  end
  if not call('ZSCORE', K.kept, each.member) then return { 0, {} } end
  found[index] = each
end
need('hash', K.results)
checkEntries()

local numbers = writeEntries()
for _, each in ipairs(found) do
  if each.request then
    call('HSET', K.request .. each.request, 'bytes', '', 'key', '', 'rest', each.rest, 'progress', each.progress)
    call('HDEL', K.results, ofRequest(each.request))
  else
    call('HSET', K.call .. string.sub(each.member, 17), 'bytes', '', 'key', '')
    call('HDEL', K.results, ofCall(string.sub(each.member, 17)))
  end
  call('ZREM', K.kept, each.member)
end
tell()
return { 1, numbers }
`
