/**
 * Thinking: the model is asked with the whole conversation, hooks look at the question and at the answer, and what it says
 * is streamed. A server that breaks off in the middle is asked again a bounded number of times; what it had said by then is
 * dropped, and listeners are told.
 */

import type { LoggedCall, TurnEntry, Usage } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import type { JsonValue } from '../../core/json/json.ts'
import type { HookModelRequest, HookModelResponse } from '../hooks/hook.ts'
import { type ModelEvent, ModelFault, type ModelRequest } from '../models/model.ts'
import { createRetryingModel } from '../models/retrying-model.ts'
import { TurnOver } from '../sessions/turn-over.ts'
import { addHookTools } from './hook-tools.ts'
import { toModelMessages } from './model-messages.ts'
import { hookContext, type TurnState } from './turn-state.ts'

export type AnsweredEntry = Extract<TurnEntry, { kind: 'answered' }>
/** Before it is in the log. */
export type UnloggedAnswer = Omit<AnsweredEntry, 'turn' | 'at'>

/** More than any sensible answer has. What is past it did not fit anywhere. */
const MAX_CALLS = 32
const MAX_CHARACTERS = 4 * 1024 * 1024
/** How often an answer that broke off is asked for again. */
const MAX_BREAKS = 2

const LAST_WORD =
  'You have been interrupted, and no tools can be used any more. Say in a few words what you have done and what is left.'

export async function think(state: TurnState, step: number, isLastWord: boolean): Promise<UnloggedAnswer> {
  const { parts } = state
  const entries = [...state.session.entries()]
  const heard = steeringIn(entries, state.turn.id)
  const messages = await toModelMessages({
    instructions: state.instructions,
    entries,
    media: async (items) => {
      const found = await Promise.all(items.map(({ id }) => parts.media.get(state.session.id, id)))
      return found.flatMap((each) => (each === undefined ? [] : [{ type: each.item.type, data: each.data }]))
    },
  })
  if (isLastWord) messages.push({ role: 'user', text: LAST_WORD })
  const { maxTokens, temperature } = parts.settings
  const wanted: HookModelRequest = {
    model: parts.model.name,
    messages,
    tools: isLastWord
      ? []
      : state.listTools().map(({ tool, definition }) => ({
          name: tool.name,
          description: definition.description,
          schema: definition.schema,
        })),
    ...defined({ maxTokens, temperature }),
    ...(isLastWord ? { lastWord: true } : {}),
  }
  const before = await parts.hooks.beforeModel(wanted, hookContext(state, step))
  if (before.kind === 'stop') throw new TurnOver(before.hard ? 'aborted' : 'failed', before.reason)
  addHookTools(state, before.added)
  const { request } = before
  const limits = defined({ maxTokens: request.maxTokens, temperature: request.temperature })
  state.turn.emit({
    kind: 'model_called',
    step,
    model: request.model,
    messages: request.messages.length,
    tools: request.tools.length,
    ...limits,
  })
  const answer = await ask(state, {
    ...(request.model === parts.model.name ? {} : { model: request.model }),
    messages: request.messages,
    tools: request.tools,
    ...limits,
  })
  const shown = toHookResponse(request.model, answer, (index) => callIdOf(state, step, index))
  const after = await parts.hooks.afterModel(shown, hookContext(state, step))
  if (after.kind === 'stop') throw new TurnOver(after.hard ? 'aborted' : 'failed', after.reason)
  const offered = before.added.length === 0 ? {} : { offered: before.added }
  return { ...entryOf(state, step, answer, after.response, after.changedBy.length > 0), heard, ...offered }
}

export function steeringIn(entries: readonly TurnEntry[], turn: string): number {
  return entries.filter((entry) => entry.kind === 'steered' && entry.turn === turn).length
}

interface ModelAnswer {
  text: string
  reasoning: string
  calls: Extract<ModelEvent, { kind: 'call' }>[]
  finish: string
  usage: Usage
  provider?: JsonValue
}

async function ask(state: TurnState, request: ModelRequest): Promise<ModelAnswer> {
  for (let broken = 0; ; broken++) {
    try {
      return await stream(state, request)
    } catch (error) {
      state.turn.stop.throwIfAborted()
      if (!(error instanceof BrokenOff) || broken >= MAX_BREAKS) throw error
      state.turn.emit({
        kind: 'model_retried',
        attempt: broken + 1,
        of: MAX_BREAKS,
        delayMs: 0,
        because: error.message,
      })
    }
  }
}

async function stream(state: TurnState, request: ModelRequest): Promise<ModelAnswer> {
  const { parts, turn } = state
  const answer: ModelAnswer = { text: '', reasoning: '', calls: [], finish: 'other', usage: NO_USAGE }
  const model = createRetryingModel(parts.model, {
    after: parts.clock.after,
    random: parts.random,
    onRetry: (retry) => turn.emit({ kind: 'model_retried', ...retry }),
  })
  let hasBegun = false
  let hasEnded = false
  try {
    for await (const event of model.stream(request, turn.stop)) {
      hasBegun = true
      switch (event.kind) {
        case 'text':
          answer.text += event.delta
          turn.emit({ kind: 'text', delta: event.delta })
          break
        case 'reasoning':
          answer.reasoning += event.delta
          turn.emit({ kind: 'thinking', delta: event.delta })
          break
        case 'call':
          answer.calls.push(event)
          break
        case 'end':
          hasEnded = true
          answer.finish = event.finish
          answer.usage = event.usage
          if (event.provider !== undefined) answer.provider = event.provider
      }
      if (sizeOf(answer) > MAX_CHARACTERS || answer.calls.length > MAX_CALLS * 4)
        throw new ModelFault('the answer does not come to an end', { mayRetry: false })
    }
  } catch (error) {
    if (hasBegun && error instanceof ModelFault && error.mayRetry)
      throw new BrokenOff(error.message, { cause: error })
    throw error
  }
  if (!hasEnded) throw new BrokenOff('the answer broke off')
  return answer
}

function sizeOf({ text, reasoning, calls }: ModelAnswer): number {
  return calls.reduce((sum, call) => sum + call.argumentsText.length, text.length + reasoning.length)
}

class BrokenOff extends ModelFault {
  constructor(message: string, options?: ErrorOptions) {
    super(message, { mayRetry: true }, options)
  }
}

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 }

/** Ours, as in the log and the next question to the model: some servers use theirs twice. */
function callIdOf(state: TurnState, step: number, index: number): string {
  return `${state.turn.id}.${step}.${index}`
}

function toHookResponse(
  model: string,
  { text, reasoning, calls, finish, usage }: ModelAnswer,
  idOf: (index: number) => string,
): HookModelResponse {
  return {
    model,
    text,
    ...(reasoning === '' ? {} : { reasoning }),
    calls: calls.map(({ tool, argumentsText }, index) => ({ id: idOf(index), tool, argumentsText })),
    finish,
    usage,
  }
}

function entryOf(
  state: TurnState,
  step: number,
  answer: ModelAnswer,
  response: HookModelResponse,
  isChanged: boolean,
): Omit<UnloggedAnswer, 'heard'> {
  const { text, reasoning } = response
  // What the provider signed is only good for the answer as it was.
  const provider = isChanged ? undefined : answer.provider
  return {
    kind: 'answered',
    step,
    model: response.model,
    text,
    ...(reasoning === undefined || reasoning === '' ? {} : { reasoning }),
    calls: loggedCalls(state, step, isChanged ? answer.calls.map(unsigned) : answer.calls, response.calls),
    usage: answer.usage,
    ...(answer.finish === 'length' ? { cutOff: true } : {}),
    ...defined({ provider }),
  }
}

function unsigned({ provider: _, ...call }: ModelAnswer['calls'][number]): ModelAnswer['calls'][number] {
  return call
}

/** A call keeps the id that hooks were shown. One that a hook has added gets an id that no call of the answer has had. */
function loggedCalls(
  state: TurnState,
  step: number,
  answered: ModelAnswer['calls'],
  seen: HookModelResponse['calls'],
): LoggedCall[] {
  const made = new Map(answered.map((call, index) => [callIdOf(state, step, index), call]))
  let next = made.size
  return seen.slice(0, MAX_CALLS).map(({ id: shown, tool, argumentsText }): LoggedCall => {
    const known = made.get(shown)
    // Taken once: two calls with one id would be one call to the gateway.
    made.delete(shown)
    const id = known === undefined ? callIdOf(state, step, next++) : shown
    return { id, modelId: known?.id ?? '', tool, argumentsText, ...defined({ provider: known?.provider }) }
  })
}
