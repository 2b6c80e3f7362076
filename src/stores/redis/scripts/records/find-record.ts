/**
 * One record.
 * ARGV kind, key
 * Result: version, value and end, or an empty list
 */
import { STORED_RECORD } from '../pieces/record-piece.ts'
import { reading } from '../pieces/script.ts'

export const FIND_RECORD = reading('findRecord', STORED_RECORD)`
return findRecord(arg(), arg()) or {}
`
