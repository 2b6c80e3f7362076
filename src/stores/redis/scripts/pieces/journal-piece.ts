/**
 * Numbers entries. `readEntry` takes six of ARGV: chain, type, request or nothing, version or nothing, body, and the
 * number that it follows (0 where that is not known).
 * `checkEntries` comes before the first write; `writeEntries` gives their numbers, in order.
 */
export const JOURNAL = `
local entries, tails, feedTail = {}, {}, 0
local function readEntry()
  entries[#entries + 1] = {
    chain = arg(), kind = arg(), request = optional(), version = optional(), body = arg(), follows = number(),
  }
end
local function tailOf(stream)
  local last = call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
  if not last then return 0 end
  return tonumber(string.match(last[1], '^%d+'))
end
local function checkEntries()
  if #entries == 0 then return end
  feedTail = tonumber(call('HGET', K.meta, 'feed') or 0)
  if feedTail ~= tailOf(K.feed) then fail('corrupt the feed does not end where it should') end
  for _, entry in ipairs(entries) do
    if not tails[entry.chain] then
      local tail = tonumber(call('HGET', K.chains, entry.chain) or 0)
      if tail ~= tailOf(K.journal .. entry.chain) then fail('corrupt a chain does not end where it should') end
      tails[entry.chain] = tail
    end
  end
  local numbers = {}
  for _, entry in ipairs(entries) do
    local n = (numbers[entry.chain] or tails[entry.chain]) + 1
    -- Whoever wrote it knows of later entries than there are.
    if n <= entry.follows then fail('lost ' .. whole(n)) end
    numbers[entry.chain] = n
  end
end
local function writeEntries()
  local numbers = {}
  for index, entry in ipairs(entries) do
    local n = tails[entry.chain] + 1
    tails[entry.chain] = n
    feedTail = feedTail + 1
    local fields = { 'type', entry.kind, 'body', entry.body }
    if entry.request then
      fields[#fields + 1] = 'request'
      fields[#fields + 1] = entry.request
    end
    if entry.version then
      fields[#fields + 1] = 'version'
      fields[#fields + 1] = entry.version
    end
    call('XADD', K.journal .. entry.chain, whole(n) .. '-0', unpack(fields))
    call('XADD', K.feed, whole(feedTail) .. '-0', 'chain', entry.chain, 'n', whole(n))
    numbers[index] = n
  end
  for chain, n in pairs(tails) do call('HSET', K.chains, chain, whole(n)) end
  if #entries > 0 then call('HSET', K.meta, 'feed', whole(feedTail)) end
  return numbers
end
`
