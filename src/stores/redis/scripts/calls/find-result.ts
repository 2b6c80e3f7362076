/**
 * The result of the newest call of an id.
 * ARGV session, call id
 * Result: a list with the text, or an empty list
 */
import { RESULT } from '../pieces/result-piece.ts'
import { reading } from '../pieces/script.ts'

export const FIND_RESULT = reading('findResult', RESULT)`
local session, id = arg(), arg()
local seq = call('HGET', K.callIds .. session, id)
if not seq then return {} end
local request = call('HGET', K.call .. seq, 'request')
local name = ofCall(seq)
if request then name = ofRequest(request) end
local result = call('HGET', K.results, name)
if not result then return {} end
return { result }
`
