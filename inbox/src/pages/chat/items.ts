/**
 * What a conversation looks like, piece by piece. A turn is a list of items; the work of an agent that this one started is a
 * list of its own below the call that started it.
 *
 * Texts that the server has made visible are marked so below; all others are as they came, and are made visible where they
 * are drawn.
 */
import type { ReadonlySignal } from '@preact/signals'
import type { JsonObject, WireTurnEvent } from '../../../../src/client/index.ts'
import type { Changing } from './sheet.ts'

type EventOf<Kind extends WireTurnEvent['kind']> = Extract<WireTurnEvent, { kind: Kind }>

export type TurnStatus = EventOf<'turn_ended'>['status']
export type Usage = EventOf<'turn_ended'>['usage']
export type Media = NonNullable<EventOf<'call_finished'>['media']>[number]
export type RefusedState = EventOf<'call_refused'>['state']

export interface Turn {
  readonly id: string
  readonly lane: Lane
  readonly end: ReadonlySignal<TurnEnd | undefined>
}

export interface Lane {
  readonly session: string
  readonly items: ReadonlySignal<readonly Item[]>
}

export interface Item {
  readonly key: string
  readonly body: Changing<ItemBody>
}

export type ItemBody = SaidBody | AnswerBody | CallBody | HelperBody | NoteBody

/** Words of a person. */
export interface SaidBody {
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
  media?: readonly Media[]
  by?: string
  replacedBy?: string
  refusal?: { state: RefusedState /** Visible. */; because: string /** Visible. */; by?: string }
}

/** An agent that this one has started. */
export interface HelperBody {
  kind: 'helper'
  child: string
  lane: Lane
  /** Visible. */
  task?: string
  status?: TurnStatus
  /** `unread`: what it did is not here yet and can be fetched. */
  work: 'here' | 'unread' | 'reading' | 'gone'
}

export type NoteBody =
  | { kind: 'resumed' }
  | { kind: 'interrupted'; how: 'graceful' | 'hard'; by: string /** Visible. */; reason?: string }
  | { kind: 'failed'; stage: string /** Visible. */; message: string }
  | { kind: 'shown'; tool: string /** Visible. */; text?: string; media?: readonly Media[] }
  | { kind: 'barred' /** Visible. */; shape: string; by: string }

export interface TurnEnd {
  status: TurnStatus
  /** Visible. */
  reason?: string
  usage: Usage
  steps: number
  /** Undefined where nobody knows. */
  durationMs?: number
}
