/**
 * `JSON.parse`, but for a fault of V8 from version 12.8 on (nodejs/node#63785): once it has read an object with a name such as `comm\u0`, with that
 * backslash, it reads the name `"comm\u0061nd"` of another as that one. Rules would not find the argument, and a person would be shown another
 * name than the one that the tool gets (P3). Only names of members are misread, so texts with an escape in one are parsed with lists in place
 * of objects.
 *
 * What comes from outside and is judged goes through `parseStrictJson`, which takes less.
 */
import type { JsonValue } from './json.ts'
import { endOfString, hasEscapedName } from './json-text.ts'

export function parseJson<T = JsonValue>(text: string): T {
  const value: JsonValue = JSON.parse(text)
  return (hasEscapedName(text) ? fromLists(JSON.parse(toLists(text))) : value) as T
}

/** `[a,b]` as `[[a,b]]`, and `{"a":b}` as `[1,["a",b]]`. The text must be JSON. */
function toLists(text: string): string {
  const isObject: boolean[] = []
  let out = ''
  for (let at = 0, to = 0; at < text.length; at = to) {
    const character = text[at]!
    to = character === '"' ? endOfString(text, at) : at + 1
    if (character === '{' || character === '[') isObject.push(character === '{')
    const written = (isObject.at(-1) ? IN_OBJECTS : IN_LISTS)[character]
    if (character === '}' || character === ']') isObject.pop()
    out += written ?? text.slice(at, to)
  }
  return out
}

const IN_OBJECTS: Record<string, string> = { '{': '[1,[', ':': ',', ',': '],[', '}': ']]' }
const IN_LISTS: Record<string, string> = { '[': '[[', ']': ']]' }

function fromLists(lists: JsonValue): JsonValue {
  if (!Array.isArray(lists)) return lists
  if (lists.length === 1) return (lists[0] as JsonValue[]).map(fromLists)
  const members = lists.slice(1) as [name: string, value: JsonValue][]
  // That of an empty object is one member without a name.
  const named = members.filter(({ length }) => length > 0)
  return Object.fromEntries(named.map(([name, value]) => [name, fromLists(value)]))
}
