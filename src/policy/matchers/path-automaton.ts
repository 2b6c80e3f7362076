/**
 * Matches the names of a path, from a folder downwards, against names with wildcards: `*` for anything within a name,
 * `?` for one character, a name `**` for any number of names.
 *
 * All ways of matching are followed at once, as bits: bit n is set where the first n characters of the pattern are
 * used up. A character moves the bits that expect it one further; a star keeps its bit where it is. So every
 * character of the path is looked at once, however many stars there are, and nothing is tried again.
 */

/** How the names fit: all of the path, only a folder above it, or not at all. */
export type PathFit = 'whole' | 'above' | 'none'

interface Builder {
  /** The character that each bit expects to be moved; undefined for any but a slash. */
  readonly expected: (number | undefined)[]
  /** The bits that stay for every character, and for every one but a slash. */
  readonly staysAlways: number[]
  readonly staysInName: number[]
  /** The bits that move only at the beginning of a name. */
  readonly atBeginning: number[]
}

const SLASH = 0x2f

/** The last of the names is not `**`, and there are no two of these in a row. */
export function compileNames(names: readonly string[]): (path: string) => PathFit {
  const builder = build(names)
  const { expected } = builder
  const words = (expected.length >>> 5) + 1
  const bits = (members: readonly number[]) => bitsOf(members, words)
  const staysAlways = bits(builder.staysAlways)
  const staysInName = bits([...builder.staysAlways, ...builder.staysInName])
  // A bit that moves arrives one further.
  const notInside = bits(builder.atBeginning.map((index) => index + 1)).map((word) => ~word)
  const anything: number[] = []
  const literal = new Map<number, number[]>([[SLASH, []]])
  for (const [index, code] of expected.entries()) {
    const members = code === undefined ? anything : (literal.get(code) ?? [])
    members.push(index + 1)
    if (code !== undefined) literal.set(code, members)
  }
  const movesForOthers = bits(anything)
  const movesFor = new Map<number, Int32Array>()
  for (const [code, members] of literal)
    movesFor.set(code, bitsOf(members, words, code === SLASH ? undefined : movesForOthers))
  const lastWord = expected.length >>> 5
  const lastBit = 1 << (expected.length & 31)

  return (path) => {
    const state = new Int32Array(words)
    state[0] = 1
    let begins = true
    let above = false
    for (let at = 0; at < path.length; ) {
      const code = path.codePointAt(at)!
      if (code === SLASH && (state[lastWord]! & lastBit) !== 0) above = true
      const moves = movesFor.get(code) ?? movesForOthers
      const stays = code === SLASH ? staysAlways : staysInName
      let carry = 0
      for (let word = 0; word < words; word++) {
        const now = state[word]!
        let moved = ((now << 1) | carry) & moves[word]!
        if (!begins) moved &= notInside[word]!
        state[word] = moved | (now & stays[word]!)
        carry = now >>> 31
      }
      begins = code === SLASH
      at += code > 0xffff ? 2 : 1
    }
    if ((state[lastWord]! & lastBit) !== 0) return 'whole'
    return above ? 'above' : 'none'
  }
}

function build(names: readonly string[]): Builder {
  const builder: Builder = {
    expected: [],
    staysAlways: [],
    staysInName: [],
    atBeginning: [],
  }
  const { expected } = builder
  for (const [index, name] of names.entries()) {
    const after = names[index - 1]
    if (name === '**') {
      if (index > 0) expected.push(SLASH)
      builder.staysAlways.push(expected.length)
      continue
    }
    if (after === '**') {
      // What follows any number of names begins with a name; a star may stand for the beginning of one.
      if (!name.startsWith('*')) builder.atBeginning.push(expected.length)
    } else if (index > 0) expected.push(SLASH)
    for (const character of name) {
      if (character === '*') builder.staysInName.push(expected.length)
      else expected.push(character === '?' ? undefined : character.codePointAt(0))
    }
  }
  return builder
}

function bitsOf(members: readonly number[], words: number, more?: Int32Array): Int32Array {
  const bits = more === undefined ? new Int32Array(words) : more.slice()
  for (const member of members) bits[member >>> 5]! |= 1 << (member & 31)
  return bits
}
