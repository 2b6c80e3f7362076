/** Where a request stands in the lists, and its deliveries. `row` has id, state, session, subject, deadline or nil, createdAt. */
import { LIVE_STATES } from '../../../../core/request.ts'

export const REQUEST = `
local LIVE = { ${LIVE_STATES.map((state) => `${state} = true`).join(', ')} }
local LATEST = ${Number.MAX_SAFE_INTEGER}
local function placesOf(row)
  return {
    K.inState .. row.state,
    K.inSession .. row.state .. ':' .. row.session,
    K.ofSubject .. row.state .. ':' .. row.subject,
  }
end
local function checkPlaces(row) need('zset', K.due, unpack(placesOf(row))) end
local function place(row)
  local member = sortable(row.deadline or row.createdAt) .. row.id
  for _, key in ipairs(placesOf(row)) do call('ZADD', key, 0, member) end
  if row.deadline and LIVE[row.state] then call('ZADD', K.due, 0, sortable(row.deadline) .. row.id) end
end
local function unplace(row)
  local member = sortable(row.deadline or row.createdAt) .. row.id
  for _, key in ipairs(placesOf(row)) do call('ZREM', key, member) end
  if row.deadline then call('ZREM', K.due, sortable(row.deadline) .. row.id) end
end
local function deliveryKey(request, channel)
  return K.delivery .. #request .. ':' .. request .. channel
end
-- The request has become newer than what its channels show. A lease goes on: its time stays as it is.
local function checkDeliveries(id)
  local found = {}
  for index, channel in ipairs(call('SMEMBERS', K.channelsOf .. id)) do
    local row = call('HMGET', deliveryKey(id, channel), 'due', 'shown')
    local due, shown = tonumber(row[1]), tonumber(row[2])
    if not (due and shown) then fail('corrupt a delivery that was made is not there') end
    need('zset', K.waiting .. channel)
    found[index] = { channel = channel, due = due, shown = shown }
  end
  return found
end
local function touchDeliveries(id, found, version)
  for _, each in ipairs(found) do
    if each.shown < version then call('ZADD', K.waiting .. each.channel, 0, sortable(each.due) .. id) end
  end
end
`
