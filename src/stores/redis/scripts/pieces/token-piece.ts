/** Making tokens. `readToken` takes five of ARGV: id, hash of the secret, use, when it ends or nothing, and all of it as a text. */
export const TOKEN = `
local function readToken()
  return { id = arg(), secret = arg(), use = arg(), expiresAt = optional(), body = arg() }
end
local function checkToken(token)
  if call('EXISTS', K.token .. token.id) == 1 then fail('taken token') end
  if call('HEXISTS', K.secrets, token.secret) == 1 then fail('taken secret of a token') end
  need('zset', K.tokens)
end
local function writeToken(token)
  call('HSET', K.token .. token.id, 'use', token.use, 'body', token.body)
  if token.expiresAt then call('HSET', K.token .. token.id, 'expiresAt', token.expiresAt) end
  call('HSET', K.secrets, token.secret, token.id)
  call('ZADD', K.tokens, 0, token.id)
end
`
