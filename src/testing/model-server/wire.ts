/** What the wires have in common, as the model server sees them. */

import type { ModelRequest } from '../../agents/models/model.ts'
import type { ScriptedAnswer } from '../../agents/models/scripted/follow-script.ts'
import type { WireHabits } from './misbehaviour.ts'

export type WireName = 'openai' | 'anthropic' | 'responses'

export interface Wire {
  readonly name: WireName
  /** Throws a `WireError` for what the real server would not take. */
  read(body: unknown): ModelApiRequest
  /** The answer as events of a stream, each a whole frame. */
  stream(answer: ScriptedAnswer, request: ModelApiRequest, habits: WireHabits): string[]
  /** The answer in one piece. */
  whole(answer: ScriptedAnswer, request: ModelApiRequest, habits: WireHabits): unknown
  error(status: number, message: string, code?: string): unknown
  errorFrame(type: string, message: string): string
}

export interface ModelApiRequest {
  model: string
  isStream: boolean
  wantsUsage: boolean
  question: ModelRequest
  /** Tools that a call has to name in another way, where the wire has such. `isCustom`: they are given a text as it is. */
  specialTools?: readonly { name: string; namespace?: string; isCustom: boolean }[]
}

export class WireError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'WireError'
    this.status = status
  }
}

export function callsOf(answer: ScriptedAnswer, habits: WireHabits): ScriptedAnswer['calls'] {
  return answer.calls.map((call) => (habits.reuseCallIds === true ? { ...call, id: 'call_0' } : call))
}

/** Cut anywhere, but never inside of a character that takes two units. */
export function fragmentsOf(text: string, habits: WireHabits): string[] {
  const characters = [...text]
  const length = Math.max(1, habits.fragmentLength ?? 7)
  return Array.from({ length: Math.ceil(characters.length / length) }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(''),
  )
}
