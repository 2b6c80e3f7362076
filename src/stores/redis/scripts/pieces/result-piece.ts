/** Results by what they are the result of: a request by its id, or a call that nobody was asked about by its number. */
export const RESULT = `
local function ofRequest(id) return 'request:' .. id end
local function ofCall(seq) return 'call:' .. seq end
`
