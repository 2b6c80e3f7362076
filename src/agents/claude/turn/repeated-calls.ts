/**
 * Calls of the process before that the model may make again, under another id. One that has not run is the same call, and goes on where
 * it was: nobody is asked twice. One that may have run is another call, and a person is asked about it whatever the policy allows.
 */
import { canonicalize } from '../../../core/json/json.ts'
import type { EngineOptions } from '../../sessions/engine.ts'
import type { AskedCall } from './turn-calls.ts'

export interface RepeatedCalls {
  /** It has not run: the next one like it is that call. */
  expect(call: AskedCall, id: string): void
  /** It may have run. */
  doubt(call: AskedCall): void
  /** The id of the call that this one is, once for each. */
  take(call: AskedCall): string | undefined
  asksAbout(call: AskedCall): EngineOptions<object>
}

/** They can be made twice without harm. */
const ONLY_READ = ['Read', 'Glob', 'Grep', 'NotebookRead', 'ToolSearch', 'WebFetch', 'WebSearch']

export function createRepeatedCalls(): RepeatedCalls {
  const expected = new Map<string, string[]>()
  const doubted = new Set<string>()
  return {
    expect(call, id) {
      const key = sameness(call)
      expected.set(key, [...(expected.get(key) ?? []), id])
    },
    doubt(call) {
      if (!ONLY_READ.includes(call.tool)) doubted.add(sameness(call))
    },
    take: (call) => expected.get(sameness(call))?.shift(),
    asksAbout(call) {
      if (!doubted.has(sameness(call))) return {}
      return { asks: { because: 'the same call may have run before the server was restarted' } }
    },
  }
}

function sameness({ tool, arguments: args }: AskedCall): string {
  return canonicalize([tool, args])
}
