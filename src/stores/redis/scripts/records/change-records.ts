/**
 * Changes records, all or nothing. Others that have expired are removed, a hundred at a time.
 * ARGV how many, then of each: kind, key, the version that it must have, the value or nothing, how long until it expires or
 *   nothing, 1 if it is named twice and else 0; how many entries (none or one), them
 * Result: 1, numbers, the new versions; or 0, {}, and of each that lost its place and what there is: version, value and end
 */
import { JOURNAL } from '../pieces/journal-piece.ts'
import { STORED_RECORD } from '../pieces/record-piece.ts'
import { writing } from '../pieces/script.ts'

export const CHANGE_RECORDS = writing('changeRecords', JOURNAL, STORED_RECORD)`
local changes, lost = {}, {}
for index = 1, number() do
  local change = {
    kind = arg(), key = arg(), version = number(), value = optional(), span = optional(), isTwice = arg() == '1',
  }
  changes[index] = change
  local found = findRecord(change.kind, change.key)
  if change.isTwice or tonumber(found and found[1] or 0) ~= change.version then
    lost[#lost + 1] = { index - 1, found or {} }
  end
end
for _ = 1, number() do readEntry() end
if #lost > 0 then return { 0, {}, lost } end
need('zset', K.recordsUntil)
local last = tonumber(call('HGET', K.meta, 'record') or 0)
local expired = call('ZRANGEBYSCORE', K.recordsUntil, '-inf', whole(now), 'LIMIT', 0, 100)
local function check(kind, name)
  need('hash', K.record .. name)
  need('zset', K.records .. kind)
end
for _, name in ipairs(expired) do check(splitName(name), name) end
for _, change in ipairs(changes) do
  change.name = recordName(change.kind, change.key)
  check(change.kind, change.name)
end
checkEntries()

local numbers = writeEntries()
local function remove(kind, key, name)
  call('DEL', K.record .. name)
  call('ZREM', K.records .. kind, key)
  call('ZREM', K.recordsUntil, name)
end
for _, name in ipairs(expired) do
  local kind, key = splitName(name)
  remove(kind, key, name)
end
local versions = {}
for index, change in ipairs(changes) do
  remove(change.kind, change.key, change.name)
  versions[index] = 0
  if change.value then
    last = last + 1
    versions[index] = last
    call('HSET', K.record .. change.name, 'version', whole(last), 'value', change.value)
    call('ZADD', K.records .. change.kind, 0, change.key)
    if change.span then
      local finish = whole(math.floor(now + tonumber(change.span)))
      call('HSET', K.record .. change.name, 'expiresAt', finish)
      call('ZADD', K.recordsUntil, finish, change.name)
    end
  end
end
call('HSET', K.meta, 'record', whole(last))
tell()
return { 1, numbers, versions }
`
