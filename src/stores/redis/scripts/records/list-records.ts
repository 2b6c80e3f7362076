/**
 * Records of a kind whose key begins so, in the order of their keys.
 * ARGV the kind, the beginning, the key behind which to go on or nothing, how many
 * Result: of each the key, and its version, value and end
 */
import { STORED_RECORD } from '../pieces/record-piece.ts'
import { reading } from '../pieces/script.ts'

export const LIST_RECORDS = reading('listRecords', STORED_RECORD)`
local kind, prefix, after, most = arg(), arg(), optional(), number()
local first = '[' .. prefix
if after then first = '(' .. after end
local found = {}
repeat
  -- No text holds the byte 255, so this is above every key that begins so.
  local keys = call('ZRANGEBYLEX', K.records .. kind, first, '(' .. prefix .. string.char(255), 'LIMIT', 0, most)
  for _, key in ipairs(keys) do
    local record = findRecord(kind, key)
    if record and #found < most then found[#found + 1] = { key, record } end
    first = '(' .. key
  end
until #found >= most or #keys < most
return found
`
