/**
 * Appends to the log of a session, and makes the session where it is new.
 * ARGV the entry, the session, the place, the turn, 1 if it goes on after this and 0 if not
 * Result: 1, numbers, `appended`; or 0, {}, and why not
 */
import { JOURNAL } from '../pieces/journal-piece.ts'
import { writing } from '../pieces/script.ts'
import { SESSION } from '../pieces/session-piece.ts'

export const APPEND_TURN = writing('appendTurn', JOURNAL, SESSION)`
readEntry()
local draft = readSession()
local at, turn, goesOn = number(), arg(), arg() == '1'
local admission = admit(draft)
if admission == 'not_yours' then return { 0, {}, admission } end
if admission == 'session_ended' and (goesOn or call('EXISTS', K.session .. draft.id) == 0) then return { 0, {}, admission } end
if call('HLEN', K.turns .. draft.id) ~= at then return { 0, {}, 'lost' } end
if admission == 'new' then checkSession(draft) else entries = {} end
need('zset', K.unfinished, K.keptTurns)
checkEntries()

local numbers = writeEntries()
if admission == 'new' then writeSession(draft) end
call('HSET', K.turns .. draft.id, whole(at), turn)
call('HSET', K.session .. draft.id, 'turnAt', whole(now))
if turn ~= 'null' then call('ZADD', K.keptTurns, 0, sortable(now) .. sortable(at) .. draft.id) end
if goesOn then call('ZADD', K.unfinished, 0, draft.id) else call('ZREM', K.unfinished, draft.id) end
tell()
return { 1, numbers, 'appended' }
`
