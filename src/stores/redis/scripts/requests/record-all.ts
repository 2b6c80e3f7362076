/**
 * Records calls that nobody was asked about, each on its own, with one entry for all of them.
 * ARGV the entry, how many, then for each the session and the call
 * Result: 1, numbers, and for each `recorded`, `existing` with what is known, or the code of a refusal
 */
import { CALL } from '../pieces/call-piece.ts'
import { JOURNAL } from '../pieces/journal-piece.ts'
import { writing } from '../pieces/script.ts'
import { SESSION } from '../pieces/session-piece.ts'

export const RECORD_ALL = writing('recordAll', JOURNAL, SESSION, CALL)`
readEntry()
local results, sessions, records = {}, {}, {}
for index = 1, number() do
  local draft = readSession()
  local record = readCall()
  local admission = admit(draft)
  if admission == 'not_yours' then
    results[index] = { admission }
  else
    local before = known(record.session, record.id)
    if before then
      results[index] = { 'existing', toldOf(before) }
    elseif admission == 'session_ended' then
      results[index] = { admission }
    else
      if admission == 'new' then
        checkSession(draft)
        sessions[#sessions + 1] = draft
      end
      checkCall(record)
      records[#records + 1] = record
      results[index] = { 'recorded' }
    end
  end
end
checkEntries()

local numbers = writeEntries()
for _, draft in ipairs(sessions) do writeSession(draft) end
for _, record in ipairs(records) do writeCall(record) end
tell()
return { 1, numbers, results }
`
