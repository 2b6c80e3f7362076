/** To be replaced by the wire's own. */
import type { WireProgress } from '../../../../../src/client/index.ts'
import type { SessionUse } from '../../../../../src/core/secretary.ts'
import type { Mode } from '../../../../../src/core/session.ts'
import type { SessionState } from '../../../../../src/display/words/session-states.ts'

export interface WireCodingSession {
  id: string
  owner: string
  agent: string
  folder: string
  mode: Mode
  state: SessionState
  createdAt: string
  lastAt: string
  title?: string
}

export interface WireCodingProgress extends WireProgress {
  folder: string
  mode: Mode
  elapsedMs: number
  used: SessionUse
  limits: Partial<SessionUse>
}
