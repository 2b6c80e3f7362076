/**
 * Grants of a tool that are not spent and hold in one of the sessions, or everywhere.
 * ARGV tool, how many sessions, their ids
 * Result: of each the id and the fields
 */
import { reading } from '../pieces/script.ts'

export const FIND_GRANTS = reading('findGrants')`
local tool = arg()
local isNamed = {}
for _ = 1, number() do isNamed[arg()] = true end
local found = {}
for _, id in ipairs(call('ZRANGEBYSCORE', K.grantsFor .. tool, '(' .. whole(now), '+inf')) do
  local session = call('HGET', K.grant .. id, 'session')
  if not session or isNamed[session] then found[#found + 1] = { id, call('HGETALL', K.grant .. id) } end
end
return found
`
