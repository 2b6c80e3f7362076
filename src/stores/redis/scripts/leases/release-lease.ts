/**
 * Frees a lease, if it is the holder's.
 * ARGV name, holder
 * Result: 1, {}; or 0, {} where it is not
 */
import { writing } from '../pieces/script.ts'

export const RELEASE_LEASE = writing('releaseLease')`
local name, holder = arg(), arg()
if call('HGET', K.lease .. name, 'holder') ~= holder then return { 0, {} } end
need('zset', K.leases, K.leasesUntil)

call('DEL', K.lease .. name)
call('ZREM', K.leases, name)
call('ZREM', K.leasesUntil, name)
tell()
return { 1, {} }
`
