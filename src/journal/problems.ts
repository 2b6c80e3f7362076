/** What can be wrong with a journal, and a list of it that a ruined journal can't make endless. */

export type ProblemKind =
  /** The numbers of a chain are not 1, 2, 3 … */
  | 'gap'
  /** An entry between `from` and `to`, or the entry `seenAt` that vouches for them, is not what was written. */
  | 'changed'
  /** A body is not canonical, or disagrees with the entry's columns. */
  | 'bad_body'
  /** A chain ends before something that is known to have been written. */
  | 'truncated'
  /** A checkpoint with a good signature has another hash. */
  | 'checkpoint_mismatch'
  | 'bad_signature'
  /** A checkpoint or a rotation is signed by a key that nobody vouched for. */
  | 'unknown_key'
  /** A chain that is known to have existed is not there. */
  | 'missing_chain'
  /** A request has a later version, but not an earlier one. */
  | 'version_gap'
  /** Two entries tell of the same version of a request. */
  | 'version_twice'

export interface Problem {
  kind: ProblemKind
  /** For people. Names from the journal are in it in escaped form, and safe to print. */
  message: string
  chain?: string
  /** The entries or versions that it is about, both included. */
  from?: number
  to?: number
  /** The entry that showed it, where that is another one. */
  seenAt?: number
  request?: string
  /** The entry that says that the store had lost this. It is a problem all the same. */
  explainedBy?: { chain: string; n: number }
}

export interface ProblemList {
  readonly problems: Problem[]
  /** How many more there were than the list holds. */
  readonly omitted: number
  add(problem: Problem): void
}

/** Enough to see what happened. A journal with more is ruined, and the next thousand say nothing new. */
const MAX_PROBLEMS = 100

export function createProblemList(): ProblemList {
  const problems: Problem[] = []
  let omitted = 0
  return {
    problems,
    get omitted() {
      return omitted
    },
    add(problem) {
      if (problems.length < MAX_PROBLEMS) problems.push(problem)
      else omitted += 1
    },
  }
}

/** A name from the journal or from a file, for a message: a terminal must not obey what is in it. */
export function quoteName(name: string): string {
  const short = name.length > 80 ? `${name.slice(0, 80)}…(${name.length} characters)` : name
  return JSON.stringify(short).replace(/[^\x20-\x7e…]/gu, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16)}}`
  })
}

/** `entry 3`, or `entries 3 to 5`. */
export function nameRange(from: number, to: number): string {
  return from === to ? `entry ${from}` : `entries ${from} to ${to}`
}
