/**
 * Makes a token.
 * ARGV the entry, the token
 * Result: 1, numbers
 */
import { JOURNAL } from '../pieces/journal-piece.ts'
import { writing } from '../pieces/script.ts'
import { TOKEN } from '../pieces/token-piece.ts'

export const CREATE_TOKEN = writing('createToken', JOURNAL, TOKEN)`
readEntry()
local token = readToken()
checkToken(token)
checkEntries()

local numbers = writeEntries()
writeToken(token)
tell()
return { 1, numbers }
`
