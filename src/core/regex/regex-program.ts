/**
 * Runs the program of a regular expression on a text: is it found anywhere? The parser and compiler are those of
 * the library in `regex.ts`; running the program is ours, because only the answer is needed and the time must be
 * bounded. The library's machines take up to 30 ns for each instruction and character, and its cache of states
 * several times that while it fills up, so that 20 ms for 10 kB would leave room for 30 instructions.
 *
 * All states of the program are followed at once, as bits. A state is an instruction that waits for a character. At
 * each character the bits whose instruction takes it are kept, and replaced by the states that follow them; these
 * are looked up for eight states at a time. So the time depends on the number of states alone and not on the text.
 *
 * `^`, `$` and `\b` look at the characters on both sides of a place. What follows a state is therefore worked out
 * beforehand for every kind of place at which they differ.
 */

export interface Instruction {
  readonly op: number
  /** The next instruction. */
  readonly out: number
  /** For an alternative the other next instruction, for an assertion what it asserts. */
  readonly arg: number
  matchRune(rune: number): boolean
}

export interface Program {
  readonly start: number
  readonly instructions: readonly Instruction[]
  /** All characters of a class are taken by the same instructions. Class 0 begins at U+0000. */
  readonly classStarts: ArrayLike<number>
  classOf(rune: number): number
}

/** The operations of re2js 2.10. */
const ALTERNATIVE = 1
const ALTERNATIVE_MATCH = 2
const CAPTURE = 3
const ASSERTION = 4
const FAIL = 5
const MATCH = 6
const NOTHING = 7
const FIRST_RUNE = 8
const LAST_RUNE = 11

/** What assertions may ask for, as bits. */
const BEGIN_LINE = 1
const END_LINE = 2
const BEGIN_TEXT = 4
const END_TEXT = 8
const WORD_BOUNDARY = 16
const NO_WORD_BOUNDARY = 32

/** What stands on one side of a place. */
const NOTHING_THERE = 0
const LINE_BREAK = 1
const WORD = 2
const OTHER = 3
const SIDES = 4

/** What follows is looked up for eight states at a time, which is four times for each word of bits. */
const EIGHTHS = 4
const CHOICES = 256

/** Throws on an instruction that is not known; there are none without look-behind. */
export function createRegexRunner(program: Program): (text: string) => boolean {
  const states = program.instructions.flatMap(({ op }, index) => (isRune(op) ? [index] : []))
  // One more state, which waits for nothing: the program has matched.
  const words = Math.ceil((states.length + 1) / 32)
  const matchWord = states.length >>> 5
  const matchBit = 1 << (states.length & 31)
  const takers = takersOf(program, states, words)
  const places = placesOf({ program, states, words })
  /** After the beginning, a place where nothing is being followed stays so. */
  const anchored = places.every(({ entry }, key) => key < SIDES || entry.every((word) => word === 0))

  // Allocating them for each text would take longer than a short text does.
  let current = new Int32Array(words)
  let next = new Int32Array(words)

  return (text) => {
    current.fill(0)
    let left = NOTHING_THERE
    let at = 0
    for (;;) {
      const rune = at < text.length ? text.codePointAt(at)! : -1
      const right = rune === -1 ? NOTHING_THERE : sideOf(rune)
      const place = places[left * SIDES + right]!
      for (let word = 0; word < words; word++) next[word] = place.entry[word]!
      const lives = follow(current, place.follow, next)
      if ((next[matchWord]! & matchBit) !== 0) return true
      if (rune === -1 || (anchored && at > 0 && !lives)) return false
      const row = program.classOf(rune) * words
      for (let word = 0; word < words; word++) next[word]! &= takers[row + word]!
      const spare = current
      current = next
      next = spare
      left = right
      at += rune > 0xffff ? 2 : 1
    }
  }
}

/**
 * Whether it is found in any text at all. `$a` is found in none, and neither is a class with no characters. What stands to
 * the left of a place is known from the character that was taken, what stands to its right is tried.
 */
export function isEverFound({ start, instructions, classStarts }: Program): boolean {
  const states = instructions.flatMap(({ op }, index) => (isRune(op) ? [index] : []))
  const stateOf = new Map(states.map((pc, state) => [pc, state]))
  const space: StateSpace = {
    program: { start, instructions, classStarts, classOf: () => 0 },
    states,
    words: Math.ceil((states.length + 1) / 32),
  }
  const runes = [...Array.from({ length: 128 }, (_, rune) => rune), ...Array.from(classStarts)]
  const seen = new Set<string>()
  const open = Array.from({ length: SIDES }, (_, left) => ({ pc: start, left }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const key = `${next.pc}:${next.left}`
    if (seen.has(key)) continue
    seen.add(key)
    for (let right = 0; right < SIDES; right++) {
      const reached = reachable(space, stateOf, next.pc, flagsOf(next.left, right))
      const has = (state: number) => (reached[state >>> 5]! & (1 << (state & 31))) !== 0
      if (has(states.length)) return true
      for (const [state, pc] of states.entries()) {
        const takes = (rune: number) => sideOf(rune) === right && instructions[pc]!.matchRune(rune)
        if (has(state) && right !== NOTHING_THERE && runes.some(takes))
          open.push({ pc: instructions[pc]!.out, left: right })
      }
    }
  }
  return false
}

/** Adds the states that follow those in `current`, and says whether there were any. */
function follow(current: Int32Array, table: Int32Array, next: Int32Array): boolean {
  const words = current.length
  let lives = false
  for (let word = 0; word < words; word++) {
    let bits = current[word]!
    if (bits === 0) continue
    lives = true
    for (let eighth = word * EIGHTHS; bits !== 0; eighth++) {
      const row = (eighth * CHOICES + (bits & 255)) * words
      for (let index = 0; index < words; index++) next[index]! |= table[row + index]!
      bits >>>= 8
    }
  }
  return lives
}

function isRune(op: number): boolean {
  return op >= FIRST_RUNE && op <= LAST_RUNE
}

function sideOf(rune: number): number {
  if (rune === 10) return LINE_BREAK
  const isWord =
    (rune >= 48 && rune <= 57) || (rune >= 65 && rune <= 90) || rune === 95 || (rune >= 97 && rune <= 122)
  return isWord ? WORD : OTHER
}

/** For each class of characters, the states that take one. */
function takersOf(program: Program, states: readonly number[], words: number): Int32Array {
  const classes = program.classStarts.length + 1
  const takers = new Int32Array(classes * words)
  for (let index = 0; index < classes; index++) {
    const rune = index === 0 ? 0 : program.classStarts[index - 1]!
    for (const [state, pc] of states.entries()) {
      if (program.instructions[pc]!.matchRune(rune))
        takers[index * words + (state >>> 5)]! |= 1 << (state & 31)
    }
  }
  return takers
}

interface ContextTransitions {
  /** The states in which a match that begins here may be. */
  readonly entry: Int32Array
  /** For every eight states and each choice of them, the states that follow once they took a character. */
  readonly follow: Int32Array
}

interface StateSpace {
  readonly program: Program
  /** The instructions that take a character. One more state follows them: the program has matched. */
  readonly states: readonly number[]
  /** Words of bits, one bit a state. */
  readonly words: number
}

/** By what stands on the left and on the right. Places that no assertion tells apart are the same. */
function placesOf(space: StateSpace): ContextTransitions[] {
  const { program, states } = space
  const stateOf = new Map(states.map((pc, state) => [pc, state]))
  let asked = 0
  for (const { op, arg } of program.instructions) if (op === ASSERTION) asked |= arg
  const known = new Map<number, ContextTransitions>()
  return Array.from({ length: SIDES * SIDES }, (_, key) => {
    const given = flagsOf(Math.floor(key / SIDES), key % SIDES) & asked
    const place = known.get(given) ?? placeOf(space, stateOf, given)
    known.set(given, place)
    return place
  })
}

function flagsOf(left: number, right: number): number {
  let flags = (left === WORD) === (right === WORD) ? NO_WORD_BOUNDARY : WORD_BOUNDARY
  if (left === NOTHING_THERE) flags |= BEGIN_TEXT | BEGIN_LINE
  if (left === LINE_BREAK) flags |= BEGIN_LINE
  if (right === NOTHING_THERE) flags |= END_TEXT | END_LINE
  if (right === LINE_BREAK) flags |= END_LINE
  return flags
}

function placeOf(space: StateSpace, stateOf: ReadonlyMap<number, number>, given: number): ContextTransitions {
  const { program, states, words } = space
  const reach = (pc: number) => reachable(space, stateOf, pc, given)
  const table = new Int32Array(words * EIGHTHS * CHOICES * words)
  for (const [state, pc] of states.entries()) {
    const reached = reach(program.instructions[pc]!.out)
    for (let choice = 0; choice < CHOICES; choice++) {
      if ((choice & (1 << (state & 7))) === 0) continue
      const row = ((state >>> 3) * CHOICES + choice) * words
      for (let index = 0; index < words; index++) table[row + index]! |= reached[index]!
    }
  }
  return { entry: reach(program.start), follow: table }
}

/** The states that are reached without taking a character, where the assertions in `given` are true. */
function reachable(
  { program, states, words }: StateSpace,
  stateOf: ReadonlyMap<number, number>,
  from: number,
  given: number,
): Int32Array {
  const reached = new Int32Array(words)
  const seen = new Set<number>()
  const open = [from]
  for (let pc = open.pop(); pc !== undefined; pc = open.pop()) {
    if (seen.has(pc)) continue
    seen.add(pc)
    const { op, out, arg } = program.instructions[pc]!
    if (isRune(op) || op === MATCH) {
      const state = stateOf.get(pc) ?? states.length
      reached[state >>> 5]! |= 1 << (state & 31)
    } else if (op === ALTERNATIVE || op === ALTERNATIVE_MATCH) open.push(out, arg)
    else if (op === CAPTURE || op === NOTHING) open.push(out)
    else if (op === ASSERTION) {
      if ((arg & ~given) === 0) open.push(out)
    } else if (op !== FAIL) throw new Error(`operation ${op} is not known`)
  }
  return reached
}
