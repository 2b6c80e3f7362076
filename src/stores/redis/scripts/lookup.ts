/**
 * What is known of a session, of a call id in it, and of grants for a tool.
 * ARGV session, call id, tool
 * Result: 1 or 0 for the grant, the session's fields, and what is known of the call
 */
import { CALL } from './call-piece.ts'
import { reading } from './script.ts'

export const LOOKUP = reading(
  'lookup',
  CALL,
  `
local session, id, tool = arg(), arg(), arg()
local before = known(session, id)
local told = {}
if before then told = toldOf(before) end
return { call('SISMEMBER', K.grantedTools, tool), call('HGETALL', K.session .. session), told }
`,
)
