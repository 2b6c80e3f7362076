/**
 * A part of the feed.
 * ARGV after which number, how many
 * Result: the epoch, the last number, and of each: its number, chain, number in the chain, and the fields of the entry
 */
import { reading } from '../pieces/script.ts'

export const READ_FEED = reading('readFeed')`
local after, most = number(), number()
local row = call('HMGET', K.meta, 'epoch', 'feed')
local found = {}
for _, event in ipairs(call('XRANGE', K.feed, whole(after + 1) .. '-0', '+', 'COUNT', most)) do
  local chain, n = event[2][2], event[2][4]
  local entry = call('XRANGE', K.journal .. chain, n .. '-0', n .. '-0')[1]
  if entry then found[#found + 1] = { string.match(event[1], '^%d+'), chain, n, entry[2] } end
end
return { row[1] or '', row[2] or '0', found }
`
