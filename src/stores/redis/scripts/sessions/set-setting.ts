/**
 * Sets a value, whatever it was or if it still is what it was.
 * ARGV the key, the value, 1 if it must be what it was and 0 if not, what it was or nothing, how many entries (none or one), them
 * Result: 1, numbers; or 0, {} where it is another
 */
import { JOURNAL } from '../pieces/journal-piece.ts'
import { writing } from '../pieces/script.ts'

export const SET_SETTING = writing('setSetting', JOURNAL)`
local key, value, mustBe, before = arg(), arg(), arg() == '1', optional()
for _ = 1, number() do readEntry() end
need('hash', K.settings)
if mustBe and (call('HGET', K.settings, key) or nil) ~= before then return { 0, {} } end
checkEntries()

local numbers = writeEntries()
call('HSET', K.settings, key, value)
tell()
return { 1, numbers }
`
