/**
 * How much work one line may be, counted before it is done. A line that an agent sends is read while everybody else
 * waits, so what lies beyond is not read: the line is "too long to be checked", and a person looks at it. Which way of
 * being wrong is worse: too low asks a person once too often, too high lets one call stop the server. All of them
 * together come to some 100 ms on two cores of a small machine.
 */
export const LINE_LIMITS = {
  /**
   * Characters that the parser is given, over the line and all texts in it: `sh -c`, `eval`, code for a shell's input.
   * Linux takes no longer word than 128 KiB, so no longer line can be handed to `sh -c`. The bodies of quoted
   * here-documents are not counted, see `long-bodies.ts`: a whole file may be written by one.
   */
  parsed: 128 * 1024,
  /** Steps that the parser takes while it looks for the end of something, see `parse-cost.ts`; some 10 ns each. */
  steps: 2_000_000,
  /** Commands that are found. A long script of an agent's has a hundred; each is looked at by every rule, 0.1 ms. */
  commands: 500,
  /**
   * Words of these commands; what a wrapper runs counts again, and one with wildcards and a redirection count for
   * several, see `line-budget.ts`. Each may be a path, and is compared with every rule about paths: some 50 µs with the
   * starter's. `git add` with two thousand paths is let through.
   */
  words: 3_000,
  /** Characters of these commands in their normal form. */
  written: 1_500_000,
  /** Doubts about them. Ten would be enough for anybody. */
  doubts: 500,
  /** Of a line that is too long, so many of the commands that it may hold are put down for the sake of what is denied. */
  loose: 100,
  /** Of such a line no more than this is searched, most of it from its beginning. */
  searched: 256 * 1024,
} as const
