/**
 * Calls before a number, the newest first, with the requests that were opened for them.
 * ARGV the number, how many
 * Result: of each the number, the call's fields, and the request's where there is one
 */
import { reading } from '../pieces/script.ts'

export const HISTORY = reading('history')`
local before, most = number(), number()
local last = math.min(before - 1, tonumber(call('HGET', K.meta, 'calls') or 0))
local found = {}
for seq = last, math.max(1, last - most + 1), -1 do
  local fields = call('HGETALL', K.call .. sortable(seq))
  local told = { whole(seq), fields }
  if fields[1] == 'request' then told[3] = call('HGETALL', K.request .. fields[2]) end
  found[#found + 1] = told
end
return found
`
