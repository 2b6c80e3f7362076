/**
 * Revokes a login code and makes the key that it is exchanged for (P11).
 * ARGV the entry, the code's id, the key
 * Result: 1, numbers; or 0, {} when the code is not good
 */
import { JOURNAL } from '../pieces/journal-piece.ts'
import { writing } from '../pieces/script.ts'
import { TOKEN } from '../pieces/token-piece.ts'

export const EXCHANGE_TOKEN = writing('exchangeToken', JOURNAL, TOKEN)`
readEntry()
local code = arg()
local key = readToken()
local row = call('HMGET', K.token .. code, 'use', 'revokedAt', 'expiresAt')
if row[1] ~= 'login' or row[2] or (row[3] and tonumber(row[3]) <= now) then return { 0, {} } end
checkToken(key)
checkEntries()

local numbers = writeEntries()
call('HSET', K.token .. code, 'revokedAt', whole(now))
writeToken(key)
tell()
return { 1, numbers }
`
