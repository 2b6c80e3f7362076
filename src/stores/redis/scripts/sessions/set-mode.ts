/**
 * Sets the mode of a session.
 * ARGV the entry, the session's id, the mode
 * Result: 1, numbers; or 0, {} where there is no such session
 */
import { JOURNAL } from '../pieces/journal-piece.ts'
import { writing } from '../pieces/script.ts'

export const SET_MODE = writing('setMode', JOURNAL)`
readEntry()
local id, mode = arg(), arg()
if call('HEXISTS', K.session .. id, 'owner') == 0 then return { 0, {} } end
checkEntries()

local numbers = writeEntries()
call('HSET', K.session .. id, 'mode', mode)
tell()
return { 1, numbers }
`
