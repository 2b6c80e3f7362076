/** What a model answered, on the wire both ways. Usage is a fact, and no hook's to change. */
import { defined } from '../../../../core/defined.ts'
import type { HookModelResponse } from '../../hook.ts'
import { isMembers, keysOf, listAt, optionalText, type WireMembers } from './fields.ts'
import { callsFromWire, callsToWire } from './messages.ts'

export function modelResponseToWire({ model, text, reasoning, calls, finish, usage }: HookModelResponse) {
  return {
    model,
    response: {
      content: text,
      ...defined({ reasoning_content: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: callsToWire(calls) }),
      finish_reason: FINISH_TO_WIRE.get(finish) ?? finish,
      usage: {
        prompt_tokens: usage.inputTokens,
        completion_tokens: usage.outputTokens,
        total_tokens: usage.inputTokens + usage.outputTokens,
      },
      reasoning: reasoning ?? '',
      reasoning_details: [],
    },
  }
}

/** The outer object is what the hook was sent, the answer itself stands in its `response`. It replaces, and does not merge. */
export function modelResponseFromWire(
  members: WireMembers,
  at: string,
  sent?: HookModelResponse,
): HookModelResponse {
  const body = members.response
  if (!isMembers(body)) {
    throw new Error(`${at}.response must be an object with content; found: ${keysOf(members)}`)
  }
  const place = `${at}.response`
  const reasoning = optionalText(body, 'reasoning_content', place)
  const finish = optionalText(body, 'finish_reason', place)
  return {
    model: sent?.model ?? optionalText(members, 'model', at) ?? '',
    text: optionalText(body, 'content', place) ?? '',
    ...defined({ reasoning }),
    calls: callsFromWire(listAt(body, 'tool_calls', place), `${place}.tool_calls`, sent?.calls),
    finish: finish === undefined ? (sent?.finish ?? 'stop') : (FINISH_FROM_WIRE.get(finish) ?? finish),
    usage: sent?.usage ?? usageFromWire(body.usage),
  }
}

export function isSameModelResponse(one: HookModelResponse, other: HookModelResponse): boolean {
  return (
    one.text === other.text &&
    (one.reasoning ?? '') === (other.reasoning ?? '') &&
    one.finish === other.finish &&
    one.calls.length === other.calls.length &&
    one.calls.every((call, index) => call === other.calls[index])
  )
}

const FINISH_TO_WIRE = new Map([
  ['calls', 'tool_calls'],
  ['filtered', 'content_filter'],
])
const FINISH_FROM_WIRE = new Map([...FINISH_TO_WIRE].map(([ours, theirs]) => [theirs, ours]))

function usageFromWire(value: unknown): HookModelResponse['usage'] {
  const members = isMembers(value) ? value : {}
  const count = (tokens: unknown) => (typeof tokens === 'number' ? tokens : 0)
  return { inputTokens: count(members.prompt_tokens), outputTokens: count(members.completion_tokens) }
}
