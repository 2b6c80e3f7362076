/** A turn as it begins, or goes on after a restart: what the model is told, and what it has been told already. */
import { defined } from '../../../core/defined.ts'
import type { EngineSession, EngineTurn } from '../../sessions/engine.ts'
import type { ClaudeEngineParts } from '../claude-parts.ts'
import { settleLeftCalls } from './left-calls.ts'
import { type ClaudeTurnRun, createClaudeTurn } from './run-claude-turn.ts'
import type { KeptAnswer } from './turn-answers.ts'
import { recallText, resumedText } from './turn-words.ts'

export interface BegunTurn {
  readonly turn: EngineTurn
  readonly run: ClaudeTurnRun
  /** What the model has not been told. `isNew`: it knows nothing of what was said before. */
  words(isNew: boolean): string
  addCost(costUsd: number): void
  /** For the outcome. */
  told(): { heard: number; costUsd?: number }
}

export interface BeginTurn {
  parts: Pick<ClaudeEngineParts, 'clock' | 'placeOf'>
  session: EngineSession
  turn: EngineTurn
  cwd: () => string | undefined
  naming: { isDone: boolean }
}

export async function beginTurn({ parts, session, turn, cwd, naming }: BeginTurn): Promise<BegunTurn> {
  const own = session.entries().filter((entry) => entry.kind !== 'erased' && entry.turn === turn.id)
  const last = own.findLast((entry): entry is KeptAnswer => entry.kind === 'answered')
  let heard = last?.heard ?? 0
  let costUsd: number | undefined
  let hasBegun = last !== undefined
  const step = last?.step ?? 0
  const run = createClaudeTurn({ turn, clock: parts.clock, step, heard: () => heard, cwd, naming })
  let prelude: string | undefined
  let isPreludeTold = false
  if (turn.resumed && last !== undefined) {
    const { folder } = await parts.placeOf(session)
    prelude = resumedText(await settleLeftCalls(turn, session.entries(), folder, run.calls.repeated))
  }

  return {
    turn,
    run,
    words(isNew) {
      const messages = turn.messages()
      const entries = session.entries()
      const isContinued = entries.some((entry) => entry.kind === 'begun' && entry.turn !== turn.id)
      const said = messages.slice(isNew ? 0 : heard).map(({ text }) => text)
      const all = [
        ...(isNew && (isContinued || hasBegun) ? [recallText(entries, turn.id)] : []),
        ...(isNew || !hasBegun ? [turn.text] : []),
        ...(prelude === undefined || (isPreludeTold && !isNew) ? [] : [prelude]),
        ...said,
      ]
      heard = messages.length
      hasBegun = true
      isPreludeTold = true
      return all.join('\n\n')
    },
    addCost(more) {
      costUsd = (costUsd ?? 0) + more
    },
    told: () => ({ heard, ...defined({ costUsd }) }),
  }
}
