/** Where a record is kept: the length of its kind tells where its key begins. */
export const STORED_RECORD = `
local function recordName(kind, key) return #kind .. ':' .. kind .. key end
local function splitName(name)
  local length, rest = string.match(name, '^(%d+):(.*)$')
  return string.sub(rest, 1, tonumber(length)), string.sub(rest, tonumber(length) + 1)
end
-- Version, value and end of one that is there; nothing where there is none, or it has expired.
local function findRecord(kind, key)
  local row = call('HMGET', K.record .. recordName(kind, key), 'version', 'value', 'expiresAt')
  if not row[1] or (row[3] and tonumber(row[3]) <= now) then return nil end
  return { row[1], row[2], row[3] or '' }
end
`
