/**
 * Ends sessions and changes requests in one step, all or nothing (P5).
 * ARGV who, why or nothing, how many sessions, their ids, how many changes, the changes, and the entry of the ending
 * Result: 1, numbers; or 0, {}
 */
import { CHANGE } from '../pieces/change-piece.ts'
import { JOURNAL } from '../pieces/journal-piece.ts'
import { REQUEST } from '../pieces/request-piece.ts'
import { RESULT } from '../pieces/result-piece.ts'
import { writing } from '../pieces/script.ts'

export const END_SESSIONS = writing('endSessions', JOURNAL, REQUEST, RESULT, CHANGE)`
local by, reason = arg(), optional()
local ids, isEnding, isChanged = {}, {}, {}
for index = 1, number() do
  ids[index] = arg()
  isEnding[ids[index]] = true
end
for _ = 1, number() do readChange() end
readEntry()
if #checkChanges() > 0 then return { 0, {} } end
for _, change in ipairs(changes) do isChanged[change.id] = true end
local endings = {}
for _, id in ipairs(ids) do
  for state in pairs(LIVE) do
    for _, member in ipairs(call('ZRANGE', K.inSession .. state .. ':' .. id, 0, -1)) do
      if not isChanged[string.sub(member, 17)] then return { 0, {} } end
    end
  end
  for _, child in ipairs(call('SMEMBERS', K.openChildren .. id)) do
    if not isEnding[child] then return { 0, {} } end
  end
  local row = call('HMGET', K.session .. id, 'owner', 'endedAt', 'parent')
  if row[1] and not row[2] then
    endings[#endings + 1] = { id = id, parent = row[3] }
    if row[3] then need('set', K.openChildren .. row[3]) end
  end
end
checkEntries()

local numbers = writeEntries()
writeChanges()
for _, ending in ipairs(endings) do
  local key = K.session .. ending.id
  call('HSET', key, 'endedAt', whole(now), 'endedBy', by)
  if reason then call('HSET', key, 'endedReason', reason) end
  if ending.parent then call('SREM', K.openChildren .. ending.parent, ending.id) end
end
tell()
return { 1, numbers }
`
