/** The wildcards of a shell against one name of a path. */

/** Nobody writes a longer one for a name. What it fits is not worked out. */
const LONGEST_PATTERN = 512

const WILD = /\[!?\]?[^\]]*\]|[*?]/g

/** A wildcard never stands for the dot that hides a file. `[…]` is taken for any one character. */
export function fitsName(pattern: string, name: string): boolean {
  if (!/[*?[]/.test(pattern)) return pattern === name
  if (pattern.length > LONGEST_PATTERN) return true
  if (name.startsWith('.') && !pattern.startsWith('.')) return false
  return fitsText(pattern, name)
}

/** The same for programs that find hidden files too, and where `*` reaches over slashes: `find -name`, `find -path`. */
export function fitsText(pattern: string, text: string): boolean {
  return pattern.length > LONGEST_PATTERN || fits(tokensOf(pattern), text)
}

/**
 * Whether so much of the name is spelled out that it is meant: `.?anksman` and `*anksm*` are, while `*` and `*.yaml`
 * are about a folder.
 */
export function saysOfName(pattern: string, name: string): boolean {
  if (pattern === name) return true
  if (pattern.length > LONGEST_PATTERN) return false
  const ending = /.\.[^.]*$/.test(name) ? name.slice(name.lastIndexOf('.')) : ''
  const start = ending !== '' && pattern.endsWith(ending) ? pattern.slice(0, -ending.length) : pattern
  return start.replace(WILD, '').replace(/^\./, '').length >= ENOUGH
}

/** Two letters are the beginning of many names. */
const ENOUGH = 3

const ANY = Symbol('any number of characters')
const ONE = Symbol('one character')

function tokensOf(pattern: string): (string | symbol)[] {
  const tokens: (string | symbol)[] = []
  let at = 0
  for (const match of pattern.matchAll(WILD)) {
    tokens.push(...pattern.slice(at, match.index))
    if (match[0] !== '*') tokens.push(ONE)
    else if (tokens.at(-1) !== ANY) tokens.push(ANY)
    at = match.index + match[0].length
  }
  tokens.push(...pattern.slice(at))
  return tokens
}

/** Goes back only to the last `*`, which is enough: what an earlier one could take, that one can take too. */
function fits(tokens: readonly (string | symbol)[], text: string): boolean {
  const characters = [...text]
  let token = 0
  let at = 0
  let star = -1
  let from = 0
  while (at < characters.length) {
    if (tokens[token] === ANY) {
      star = token++
      from = at
    } else if (token < tokens.length && (tokens[token] === ONE || tokens[token] === characters[at])) {
      token++
      at++
    } else if (star !== -1) {
      token = star + 1
      at = ++from
    } else return false
  }
  while (tokens[token] === ANY) token++
  return token === tokens.length
}
