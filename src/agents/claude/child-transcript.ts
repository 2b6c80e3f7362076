/** The child's own transcript of the session: its id, and what it has cost so far. Both are a note in the log. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defined } from '../../core/defined.ts'
import type { EngineSession } from '../sessions/engine.ts'
import { configFolder } from './child/child-environment.ts'
import type { ClaudeMessage } from './claude-messages.ts'
import type { BegunTurn } from './turn/begin-turn.ts'

export interface ChildTranscript {
  /** Undefined: there is none yet. */
  id(): string | undefined
  /** A child goes on with it, or begins a new one. */
  reopened(id: string | undefined): void
  take(message: Extract<ClaudeMessage, { kind: 'init' | 'result' }>, turn: BegunTurn): Promise<void>
}

interface TranscriptNote {
  transcript: string
  costUsd?: number
}

export function createChildTranscript(session: EngineSession): ChildTranscript {
  /** What the last result said. */
  let total = 0

  async function note(next: TranscriptNote, { turn }: BegunTurn): Promise<void> {
    const known = readNote(session)
    if (known?.transcript === next.transcript && known.costUsd === next.costUsd) return
    await turn.append({ kind: 'note', engine: 'claude', data: { ...next } })
  }

  return {
    id: () => readNote(session)?.transcript,
    reopened(id) {
      total = id === undefined ? 0 : (readNote(session)?.costUsd ?? 0)
    },
    async take(message, turn) {
      if (message.kind === 'init') {
        const costUsd = total === 0 ? undefined : total
        return note({ transcript: message.transcript, ...defined({ costUsd }) }, turn)
      }
      const { totalCostUsd } = message
      if (totalCostUsd === undefined || totalCostUsd === total) return
      // A child that was killed has not kept it, and counts from nothing again.
      turn.addCost(totalCostUsd > total ? totalCostUsd - total : totalCostUsd)
      total = totalCostUsd
      const transcript = readNote(session)?.transcript
      if (transcript !== undefined && !turn.turn.stop.aborted)
        await note({ transcript, costUsd: total }, turn)
    },
  }
}

/** Somebody's who could write in the log; so it is checked as everything that is read. */
function readNote(session: EngineSession): TranscriptNote | undefined {
  const data = session.note()
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined
  const { transcript, costUsd } = data
  if (typeof transcript !== 'string' || !/^[0-9a-zA-Z-]{1,100}$/.test(transcript)) return undefined
  return { transcript, ...defined({ costUsd: typeof costUsd === 'number' ? costUsd : undefined }) }
}

/** Whether there is a file of it. False also where that can't be looked at. */
export function hasTranscript(home: string, id: string): boolean {
  const projects = join(configFolder(home), 'projects')
  try {
    return readdirSync(projects).some((name) => existsSync(join(projects, name, `${id}.jsonl`)))
  } catch {
    return false
  }
}
