/**
 * A shell line as runs: what stands together and belongs to the same command is one, so that a command is one thing to look
 * at, to tap and to walk to. A command that has another inside it is several runs.
 */

import type { WireCommandLine, WireLinePiece } from '../../../../src/client/index.ts'
import { STRICTEST_FIRST } from '../../../../src/core/verdict.ts'

export type CommandVerdict = WireCommandLine['commands'][number]['verdict']

/** How a command is marked. `unsure`: it needs approval because it can't be checked beforehand. */
export type CommandMark = CommandVerdict | 'unsure'

export function markOf({ verdict, doubts }: WireCommandLine['commands'][number]): CommandMark {
  return verdict === 'ask' && doubts.length > 0 ? 'unsure' : verdict
}

export interface LineRun {
  pieces: WireLinePiece[]
  /** Absent for what stands between commands. */
  command?: number
  /** The first run of its command: the one that carries the sign and the key. */
  isFirst: boolean
}

/** `seen` are the commands of which a run came before. */
export function lineRuns(pieces: readonly WireLinePiece[], seen = new Set<number>()): LineRun[] {
  const runs: LineRun[] = []
  for (const piece of pieces) {
    const last = runs.at(-1)
    if (last !== undefined && last.command === piece.command) last.pieces.push(piece)
    else if (piece.command === undefined) runs.push({ pieces: [piece], isFirst: false })
    else {
      runs.push({ pieces: [piece], command: piece.command, isFirst: !seen.has(piece.command) })
      seen.add(piece.command)
    }
  }
  return runs
}

export interface ListedCommands {
  /** By their place in the line. */
  shown: number[]
  /** How many of each verdict are not shown. */
  rest: Record<CommandVerdict, number>
}

/** So few need no button. */
const FEW = 3
/** More than this nobody reads, denied or not; they are counted. */
const MOST = 60

/**
 * Which commands are listed below the line before somebody asks for all: those that are denied or asked about, always;
 * those that are allowed where there are few.
 */
export function listedCommands(
  commands: readonly { verdict: CommandVerdict }[],
  isWhole: boolean,
): ListedCommands {
  const all = [...commands.keys()]
  const [denied, asked, allowed] = STRICTEST_FIRST.map((verdict) =>
    all.filter((index) => commands[index]?.verdict === verdict),
  ) as [number[], number[], number[]]
  const wanted = isWhole || commands.length <= FEW ? [...denied, ...asked, ...allowed] : [...denied, ...asked]
  const shown = new Set(isWhole ? wanted.slice(0, MOST_WHOLE) : wanted.slice(0, MOST))
  const rest = { allow: 0, ask: 0, deny: 0 }
  for (const [index, { verdict }] of commands.entries()) if (!shown.has(index)) rest[verdict]++
  return { shown: [...shown].sort((one, other) => one - other), rest }
}

const MOST_WHOLE = 1000
