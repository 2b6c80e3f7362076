/**
 * A model that follows a script: for the demonstration, which needs no key and no network, and for tests. It says the same
 * to the same messages. The one thing that it remembers is how often it has failed on purpose, where a script says how often.
 */

import { defined } from '../../../core/defined.ts'
import { digestOf } from '../../../core/digest.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { type Model, ModelFault, type ModelRequest } from '../model.ts'
import { waitFor } from '../wait-for.ts'
import { followScript, type ScriptedAnswer } from './follow-script.ts'
import { type ModelScript, readScript } from './script.ts'

export interface ScriptedModelOptions {
  /** For `delayMs`. Absent: the machine's own timers. */
  after?: Clock['after']
}

export function createScriptedModel(
  source: ModelScript | ModelScript['scenes'],
  options: ScriptedModelOptions = {},
): Model {
  const script = readScript(source)
  return createFollowingModel(script.name ?? 'script', (request) => followScript(script, request), options)
}

/** For what finds its answers in another way than by a script's words. */
export function createFollowingModel(
  name: string,
  follow: (request: ModelRequest) => ScriptedAnswer,
  options: ScriptedModelOptions = {},
): Model {
  const failsNow = createFailureCount()
  return {
    name: `scripted/${name}`,
    async *stream(request, signal) {
      const answer = follow(request)
      await waitFor(answer.delayMs, signal, options.after)
      const { fail } = answer
      const fails = fail !== undefined && failsNow(answer, request)
      if (fails && fail.midway !== true) throw faultOf(answer)
      for (const delta of inPieces(answer.think)) yield { kind: 'reasoning', delta }
      for (const delta of inPieces(answer.say)) {
        signal.throwIfAborted()
        yield { kind: 'text', delta }
      }
      if (fails) throw faultOf(answer)
      for (const call of answer.calls) {
        signal.throwIfAborted()
        yield { kind: 'call', ...call }
      }
      yield { kind: 'end', finish: answer.finish, usage: answer.usage }
    },
  }
}

/** Whether a script's failure is still due, for one who counts the questions. */
export function createFailureCount(): (answer: ScriptedAnswer, request: ModelRequest) => boolean {
  const counts = new Map<string, number>()
  return (answer, request) => {
    const times = answer.fail?.times
    if (answer.fail === undefined || times === undefined) return answer.fail !== undefined
    const key = digestOf(
      JSON.stringify([answer.place, request.messages.map(({ role, text }) => [role, text])]),
    )
    const count = counts.get(key) ?? 0
    if (count >= times) return false
    // Only a test counts, and none fails in a thousand places.
    if (counts.size >= 1000) counts.clear()
    counts.set(key, count + 1)
    return true
  }
}

/** As a model's words come: a few at a time, never half a character. */
export function inPieces(text: string): string[] {
  const words = text.match(/\s*\S+\s*/g) ?? (text === '' ? [] : [text])
  const size = Math.max(1, Math.ceil(words.length / MAX_PIECES))
  return Array.from({ length: Math.ceil(words.length / size) }, (_, index) =>
    words.slice(index * size, (index + 1) * size).join(''),
  )
}

const MAX_PIECES = 8

function faultOf({ fail, place }: ScriptedAnswer): ModelFault {
  const { message, mayRetry, retryAfterMs } = fail!
  return new ModelFault(`${message} (${place} of the script)`, { mayRetry, ...defined({ retryAfterMs }) })
}
