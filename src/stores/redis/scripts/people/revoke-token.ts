/**
 * Revokes a token.
 * ARGV the entry, the token's id
 * Result: 1, numbers; or 0, {} when there is none or it was revoked before
 */
import { JOURNAL } from '../pieces/journal-piece.ts'
import { writing } from '../pieces/script.ts'

export const REVOKE_TOKEN = writing('revokeToken', JOURNAL)`
readEntry()
local id = arg()
local row = call('HMGET', K.token .. id, 'body', 'revokedAt')
if not row[1] or row[2] then return { 0, {} } end
checkEntries()

local numbers = writeEntries()
call('HSET', K.token .. id, 'revokedAt', whole(now))
tell()
return { 1, numbers }
`
