/**
 * Revokes a grant.
 * ARGV the entry, the grant's id, who
 * Result: 1, numbers; or 0, {} when there is none or it was revoked before
 */
import { JOURNAL } from '../pieces/journal-piece.ts'
import { writing } from '../pieces/script.ts'

export const REVOKE_GRANT = writing('revokeGrant', JOURNAL)`
readEntry()
local id, by = arg(), arg()
local row = call('HMGET', K.grant .. id, 'tool', 'revokedAt')
if not row[1] or row[2] then return { 0, {} } end
need('zset', K.grantsFor .. row[1])
checkEntries()

local numbers = writeEntries()
call('HSET', K.grant .. id, 'revokedAt', whole(now), 'revokedBy', by)
call('ZREM', K.grantsFor .. row[1], id)
tell()
return { 1, numbers }
`
