/**
 * What a conversation looks like, piece by piece. A turn is a list of items; the work of an agent that this one started is a
 * list of its own below the call that started it.
 *
 * Texts that the server has made visible are marked so below; all others are as they came, and are made visible where they
 * are drawn.
 */

import type { ReadonlySignal } from '@preact/signals'
import type { JsonObject, WireTurnEvent } from '../../../../../src/client/index.ts'
import type { InterruptionKind } from '../../../../../src/core/conversation.ts'
import type { Reason } from '../../../../../src/core/reasons/reason.ts'
import type { FrameValue } from './frame-values.ts'

type TurnEventOf<Kind extends WireTurnEvent['kind']> = Extract<WireTurnEvent, { kind: Kind }>

export type TranscriptTurnStatus = TurnEventOf<'turn_ended'>['status']
export type TurnUsage = TurnEventOf<'turn_ended'>['usage']
export type TranscriptMedia = NonNullable<TurnEventOf<'call_finished'>['media']>[number]
export type RefusedState = TurnEventOf<'call_refused'>['state']

export interface TranscriptTurn {
  readonly id: string
  readonly lane: TranscriptLane
  readonly end: ReadonlySignal<TranscriptTurnEnd | undefined>
}

export interface TranscriptLane {
  readonly session: string
  readonly items: ReadonlySignal<readonly TranscriptItem[]>
}

export interface TranscriptItem {
  readonly key: string
  readonly body: FrameValue<TranscriptItemBody>
}

export type TranscriptItemBody = MessageBody | AnswerBody | CallBody | SubAgentBody | NoteBody

/** Words of a person. */
export interface MessageBody {
  kind: 'said'
  text: string
  by: string
  at: string
  /** They were said while the turn ran. */
  isSteering: boolean
}

/** What the model said and thought in one step. */
export interface AnswerBody {
  kind: 'answer'
  step: number
  thinking: string
  text: string
  /** `cut`: it will not come to an end. */
  state: 'asked' | 'thinking' | 'speaking' | 'done' | 'cut'
  /** Its beginning was not heard. It is whole again when it is done. */
  hasGap: boolean
  /** How often the model had to be asked again so far. */
  retry?: { attempt: number; of: number; delayMs: number /** Visible. */; because: string }
}

/** `left`: the turn is over, and nobody has said what became of it. */
export type CallStage =
  | 'proposed'
  | 'waiting'
  | 'running'
  | 'finished'
  | 'failed'
  | 'refused'
  | 'answered'
  | 'left'

export interface CallBody {
  kind: 'call'
  session: string
  call: string
  tool: string
  stage: CallStage
  /** In a line, as the server renders it: visible. */
  summary?: string
  /** Masked where a value has the shape of a secret. */
  arguments?: JsonObject
  /** Visible. */
  unreadable?: string
  /** The request that people were asked. */
  request?: string
  durationMs?: number
  /** Visible. */
  text?: string
  media?: readonly TranscriptMedia[]
  by?: string
  replacedBy?: string
  refusal?: {
    state: RefusedState
    /** Visible. */
    because: string
    reason?: Reason
    /** Visible. */
    by?: string
  }
}

/** An agent that this one has started. */
export interface SubAgentBody {
  kind: 'helper'
  child: string
  lane: TranscriptLane
  /** Visible. */
  task?: string
  status?: TranscriptTurnStatus
  /** `unread`: what it did is not here yet and can be fetched. */
  work: 'here' | 'unread' | 'reading' | 'gone'
}

export type NoteBody =
  | { kind: 'resumed' }
  | { kind: 'interrupted'; how: InterruptionKind; by: string /** Visible. */; reason?: string }
  | { kind: 'failed'; stage: string /** Visible. */; message: string }
  | { kind: 'shown'; tool: string /** Visible. */; text?: string; media?: readonly TranscriptMedia[] }
  | { kind: 'barred' /** Visible. */; shape: string; by: string }

export interface TranscriptTurnEnd {
  status: TranscriptTurnStatus
  /** Visible. */
  reason?: string
  usage: TurnUsage
  steps: number
  /** Undefined where nobody knows. */
  durationMs?: number
}
