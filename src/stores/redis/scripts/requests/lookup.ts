/**
 * What is known of a session, of a call id in it, and of grants for a tool.
 * ARGV session, call id, tool
 * Result: 1 or 0 for the grant, the session's fields, what is known of the call, its hold or an empty text, and the rest of a
 * call that nobody was asked about or an empty text
 */
import { CALL } from '../pieces/call-piece.ts'
import { reading } from '../pieces/script.ts'

export const LOOKUP = reading('lookup', CALL)`
local session, id, tool = arg(), arg(), arg()
local before = known(session, id)
local told, hold, rest = {}, '', ''
if before then
  told = toldOf(before)
  local found = call('HMGET', K.call .. call('HGET', K.callIds .. session, id), 'hold', 'rest')
  hold = found[1] or ''
  if not before.request then rest = found[2] or '' end
end
return { call('SISMEMBER', K.grantedTools, tool), call('HGETALL', K.session .. session), told, hold, rest }
`
