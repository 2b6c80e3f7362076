/**
 * Writes entries that change nothing else.
 * ARGV how many, then the entries
 * Result: 1, numbers
 */
import { JOURNAL } from '../pieces/journal-piece.ts'
import { writing } from '../pieces/script.ts'

export const APPEND_ENTRY = writing('appendEntry', JOURNAL)`
for _ = 1, number() do readEntry() end
checkEntries()

local numbers = writeEntries()
tell()
return { 1, numbers }
`
