/** What the Claude engine is made of. */
import type { Mode } from '../../core/session.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Refused } from '../../guard/contract.ts'
import type { EngineSession } from '../sessions/engine.ts'
import type { ClaudeSdk } from './claude-sdk.ts'

export interface ClaudeEngineParts {
  /** Where a session works. Asked whenever a child is started; rejects where it may not work there, or not any more. */
  placeOf(session: EngineSession): Promise<ClaudePlace>
  /** The session's mode, which is the policy's. The child only learns whether it is `plan`. */
  modeOf(session: EngineSession): Promise<Mode>
  /** A folder of ours, for transcripts and for the list of children. */
  home: string
  /** Of this process. The child is given little of it. */
  environment: Readonly<Record<string, string | undefined>>
  /** How often the model is asked in one turn. */
  maxTurns: number
  /** Absent: as Claude Code chooses. */
  model?: string | undefined
  /** A child is ended after so long without a turn. Absent: after ten minutes. */
  idleMs?: number | undefined
  /** For the model, behind its own. */
  instructions?: string | undefined
  /** What the model is told of a call that did not run. Absent: all that is known of it, as JSON. */
  refusal?:
    | ((tool: string, refused: Pick<Refused, 'state' | 'because' | 'by' | 'mayRetry'>) => string)
    | undefined
  /** Absent: the package `@anthropic-ai/claude-agent-sdk`. */
  loadSdk?: (() => Promise<ClaudeSdk>) | undefined
  clock: Clock
  /** Told of faults that nobody waits for. */
  report: (fault: { doing: string; error: unknown }) => void
}

export interface ClaudePlace {
  /** Its real path. */
  folder: string
  /**
   * `project`: Claude Code reads the settings in the folder, and the hooks in them run without being asked about. `none`: it reads
   * nothing there, and is told CLAUDE.md by us.
   */
  settings: 'none' | 'project'
}
