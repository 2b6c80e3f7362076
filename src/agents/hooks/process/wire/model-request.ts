/** What goes to a model, on the wire both ways. */
import { defined } from '../../../../core/defined.ts'
import { canonicalize, type JsonObject } from '../../../../core/json/json.ts'
import type { ModelTool } from '../../../models/model.ts'
import type { HookModelRequest } from '../../hook.ts'
import {
  listAt,
  nameAt,
  objectAt,
  optionalNumber,
  optionalObject,
  optionalText,
  type WireMembers,
} from './fields.ts'
import { messagesFromWire, messagesToWire } from './messages.ts'

export function modelRequestToWire(request: HookModelRequest, naming?: Parameters<typeof messagesToWire>[1]) {
  const { model, messages, tools, maxTokens, temperature, lastWord } = request
  return {
    model,
    messages: messagesToWire(messages, naming),
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema },
    })),
    options: {
      ...defined({ max_tokens: maxTokens, temperature }),
    },
    ...(lastWord === true ? { graceful_terminal: true } : {}),
  }
}

/**
 * It replaces and does not merge: without messages, tools or options there are none. Only a model there must be: where
 * none is named it stays. With what was sent on the host's side, which also says whether this is the last word.
 */
export function modelRequestFromWire(
  members: WireMembers,
  at: string,
  sent?: HookModelRequest,
): HookModelRequest {
  const options = optionalObject(members, 'options', at) ?? {}
  const maxTokens = optionalNumber(options, 'max_tokens', `${at}.options`)
  const temperature = optionalNumber(options, 'temperature', `${at}.options`)
  const isLast = sent === undefined ? members.graceful_terminal === true : sent.lastWord === true
  return {
    model: optionalText(members, 'model', at) || (sent?.model ?? ''),
    messages: messagesFromWire(listAt(members, 'messages', at), `${at}.messages`, sent?.messages),
    tools: listAt(members, 'tools', at).map((tool, index) => toolFromWire(tool, `${at}.tools[${index}]`)),
    ...defined({ maxTokens, temperature }),
    ...(isLast ? { lastWord: true } : {}),
  }
}

export function isSameModelRequest(one: HookModelRequest, other: HookModelRequest): boolean {
  return (
    one.model === other.model &&
    one.maxTokens === other.maxTokens &&
    one.temperature === other.temperature &&
    one.messages.length === other.messages.length &&
    one.messages.every((message, index) => message === other.messages[index]) &&
    canonicalize(one.tools) === canonicalize(other.tools)
  )
}

function toolFromWire(value: unknown, at: string): ModelTool {
  const body = objectAt(objectAt(value, at).function, `${at}.function`)
  const name = nameAt(body, 'name', `${at}.function`)
  const description = optionalText(body, 'description', `${at}.function`) ?? ''
  const parameters = optionalObject(body, 'parameters', `${at}.function`)
  return { name, description, schema: (parameters ?? { type: 'object', properties: {} }) as JsonObject }
}
