/** What a hook decided, as it goes back to the host. */
import type {
  HookResult,
  ModelRequestDecision,
  ModelResponseDecision,
  ResultDecision,
  ToolDecision,
} from '../hook.ts'
import { isMembers, type WireMembers } from '../process/wire/fields.ts'
import { referOrEmbed } from '../process/wire/messages.ts'
import { modelRequestToWire } from '../process/wire/model-request.ts'
import { modelResponseToWire } from '../process/wire/model-response.ts'
import { toolResultToWire } from '../process/wire/tool-result.ts'

/** With what came in: options that we have no words for go back as they are. */
export function writeModelRequestDecision(
  decision: ModelRequestDecision | undefined,
  params: WireMembers,
): object {
  if (decision?.action !== 'modify') return decision ?? {}
  const { max_tokens: _, temperature: __, ...others } = isMembers(params.options) ? params.options : {}
  const request = modelRequestToWire(decision.request, referOrEmbed)
  return { action: 'modify', request: { ...request, options: { ...others, ...request.options } } }
}

export function writeModelResponseDecision(decision: ModelResponseDecision | undefined): object {
  if (decision?.action !== 'modify') return decision ?? {}
  return { action: 'modify', response: modelResponseToWire(decision.response) }
}

export function writeToolDecision(decision: ToolDecision | undefined): object {
  if (decision?.action === 'respond') return { action: 'respond', result: toolResultToWire(decision.result) }
  return decision ?? {}
}

export function writeResultDecision(
  decision: ResultDecision | undefined,
  { tool, arguments: args }: HookResult,
): object {
  if (decision?.action !== 'modify') return decision ?? {}
  return { action: 'modify', result: { tool, arguments: args, result: toolResultToWire(decision.result) } }
}
