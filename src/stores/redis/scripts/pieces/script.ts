/**
 * How scripts are put together: a header of our own, the pieces they share, and the text of the one operation. Pieces are
 * text that comes before; whatever a script does not use costs it next to nothing.
 *
 * Redis takes nothing back when a script fails in the middle. So every script that writes has two halves: it looks at all
 * that it will touch, the types of the keys included, and only then writes. `#!lua` makes Redis itself refuse it as a whole
 * before it begins when memory is full, the disk failed or the server is a replica.
 *
 * In a cluster whose slot is being moved Redis stops a script at the first key that is not there, also at one that it has
 * emptied itself. So a script that writes first asks for a key that never is: while the slot moves it ends there.
 *
 * KEYS[1] is always the key `meta` of the namespace. All other names are made from its tag, so they are in its slot; which
 * ones a script touches follows from what it reads (a state, a parent, channels), so they can't all be named beforehand.
 */
import { createHash } from 'node:crypto'
import { NAMES } from './keys.ts'

export interface LuaScript {
  readonly name: string
  readonly text: string
  /** By which the server knows it. */
  readonly sha: string
}

/**
 * Raised when keys or their meaning change. A script refuses to write where another number stands, so a node of the version before
 * stops writing when the first one of this version has begun.
 * 2: records, holds, results, and calls that follow others. It only adds: what schema 1 wrote is read as it is.
 */
export const SCHEMA = 2

/** ARGV of every script: 1 the time, or an empty text for the server's own. */
const PRELUDE = `
local T = string.sub(KEYS[1], 1, -${NAMES.meta.length + 1})
local K = { ${Object.entries(NAMES)
  .map(([name, text]) => `${name} = T .. '${text}'`)
  .join(', ')} }
local call = redis.call
local position = 0
local function arg()
  position = position + 1
  return ARGV[position]
end
local function number() return tonumber(arg()) end
-- Absent is an empty text; what is there has a mark before it.
local function optional()
  local given = arg()
  if given == '' then return nil end
  return string.sub(given, 2)
end
local function fail(why) error({ err = 'BANKSMAN ' .. why }) end
local function whole(value) return string.format('%.0f', value) end
local function sortable(value) return string.format('%016.0f', math.max(0, math.floor(value))) end
local now = number()
if not now then
  local time = call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
`

/** ARGV of every script that writes: 2 the schema, 3 what is told to other nodes. */
const WRITE_PRELUDE = `
local schema, message = arg(), arg()
call('EXISTS', K.never)
local found = call('HGET', K.meta, 'schema')
if not found then fail('gone') end
if found ~= schema then fail('schema ' .. found) end
-- Before the first write: what is there must be of the kind that the script will use it as.
local function need(kind, ...)
  for _, key in ipairs({ ... }) do
    local type = call('TYPE', key).ok
    if type ~= 'none' and type ~= kind then fail('corrupt ' .. string.sub(key, 1, 100) .. ' is a ' .. type .. ', not a ' .. kind) end
  end
end
local function tell()
  if message ~= '' then call('PUBLISH', K.wake, message) end
end
`

/** Takes the text of the operation as a template. */
type ScriptTag = (text: TemplateStringsArray, ...values: (string | number)[]) => LuaScript

/** The result is a list: 1 when something was changed and 0 when not, the numbers of the entries, and what the script says. */
export function writing(name: string, ...pieces: string[]): ScriptTag {
  return withText(name, `#!lua${PRELUDE}${WRITE_PRELUDE}${pieces.join('')}`)
}

export function reading(name: string, ...pieces: string[]): ScriptTag {
  return withText(name, `#!lua flags=no-writes${PRELUDE}${pieces.join('')}`)
}

function withText(name: string, before: string): ScriptTag {
  return (text, ...values) => compose(name, before + String.raw({ raw: text }, ...values))
}

export function compose(name: string, text: string): LuaScript {
  return { name, text, sha: createHash('sha1').update(text).digest('hex') }
}
