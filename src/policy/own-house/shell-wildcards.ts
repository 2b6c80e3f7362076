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

type Token = { kind: 'any' } | { kind: 'one' } | { kind: 'literal'; text: string }

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  for (const match of pattern.matchAll(WILD)) {
    for (const text of pattern.slice(at, match.index)) tokens.push({ kind: 'literal', text })
    if (match[0] !== '*') tokens.push({ kind: 'one' })
    else if (tokens.at(-1)?.kind !== 'any') tokens.push({ kind: 'any' })
    at = match.index + match[0].length
  }
  for (const text of pattern.slice(at)) tokens.push({ kind: 'literal', text })
  return tokens
}

/** Walks the name once for each token: names are short, and patterns are cut to the length of a path. */
function fits(tokens: readonly Token[], name: string): boolean {
  const characters = [...name]
  let reached = new Set([0])
  for (const token of tokens) {
    const next = new Set<number>()
    if (token.kind === 'any') {
      for (let at = Math.min(...reached); at <= characters.length; at++) next.add(at)
    } else {
      for (const at of reached)
        if (at < characters.length && (token.kind === 'one' || characters[at] === token.text))
          next.add(at + 1)
    }
    if (next.size === 0) return false
    reached = next
  }
  return reached.has(characters.length)
}
