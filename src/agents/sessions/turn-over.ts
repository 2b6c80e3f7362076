import type { TurnStatus } from '../../core/conversation.ts'

export interface TurnOutcome {
  status: TurnStatus
  text: string
  reason?: string
  /** What the whole turn cost, where the engine tells it for a turn and not for each answer. */
  costUsd?: number
}

/** The turn is over before its end. */
export class TurnOver extends Error {
  readonly status: TurnStatus

  constructor(status: TurnStatus, reason: string) {
    super(reason)
    this.name = 'TurnOver'
    this.status = status
  }
}
