/**
 * The AI SDK's own pause: the run ends with an approval request for each call that a person is asked about, the messages are saved,
 * and any process goes on from them later. A yes in the messages is not a person's yes. It only makes the SDK call `execute`, and
 * there the guard looks at the request (P5).
 */
import { defined } from '../../core/defined.ts'
import type { Guard } from '../../guard/contract.ts'
import { refusalText } from '../../guard/model-texts.ts'
import { isTerminated, refusalError } from '../call-refused.ts'
import { type Forecast, forecast } from '../forecast.ts'
import { type AiSdkOptions, type AnyTools, guardTools, sdkCall } from './guard-tools.ts'
import { isResumed } from './resumed.ts'
import { isGated, type SdkTool } from './sdk-tool.ts'

export interface Pausing<TOOLS> {
  tools: TOOLS
  /** For `toolApproval` of version 7. In version 6 the tools carry it. */
  toolApproval(about: ToolApprovalQuestion): Promise<ToolApprovalAnswer>
  /**
   * The message to append before the run goes on. Undefined while a call still waits, or where none was asked about. Rejects with
   * `SessionTerminated` where a person ended the session.
   */
  responses(messages: readonly SdkMessage[]): Promise<ApprovalMessage | undefined>
}

export interface ToolApprovalQuestion {
  toolCall: { toolName: string; toolCallId: string; input: unknown; providerExecuted?: boolean | undefined }
  toolsContext?: unknown
  messages?: readonly unknown[]
}

export type ToolApprovalAnswer =
  | { type: 'not-applicable' }
  | { type: 'user-approval'; reason: string }
  | { type: 'denied'; reason: string }

/** Any message of the SDK. */
export interface SdkMessage {
  role: string
  content: string | readonly object[]
}

export interface ApprovalMessage {
  role: 'tool'
  content: { type: 'tool-approval-response'; approvalId: string; approved: boolean; reason?: string }[]
}

interface ApprovalPart {
  type: string
  approvalId?: string
  toolCallId?: string
  toolName?: string
  input?: unknown
}

export function pausing<TOOLS extends AnyTools>(
  guard: Guard,
  tools: TOOLS,
  options: Omit<AiSdkOptions, 'pause'>,
): Pausing<TOOLS> {
  async function forecastCall(
    toolCall: ToolApprovalQuestion['toolCall'],
    context: unknown,
  ): Promise<Forecast> {
    const { toolName, toolCallId, input } = toolCall
    const tool = tools[toolName] as unknown as SdkTool
    return forecast(guard, await sdkCall(toolName, tool, input, { toolCallId, context }, options), options)
  }

  const isOurs = (name: string | undefined): name is string =>
    name !== undefined && Object.hasOwn(tools, name) && isGated(tools[name]!)

  return {
    tools: guardTools(guard, tools, { ...options, pause: true }),

    async toolApproval({ toolCall, toolsContext, messages }) {
      const { toolName, toolCallId, providerExecuted } = toolCall
      if (providerExecuted === true || !isOurs(toolName)) return { type: 'not-applicable' }
      if (isResumed(messages, toolCallId)) return { type: 'user-approval', reason: 'a person was asked' }
      const context = (toolsContext as Record<string, unknown> | undefined)?.[toolName]
      const found = await forecastCall(toolCall, context)
      if (found.kind === 'wait') return { type: 'user-approval', reason: found.because }
      // An end is told by the guard, as an error that ends the run.
      if (found.kind === 'run' || isTerminated(refusalError(toolName, found.refused)))
        return { type: 'not-applicable' }
      return { type: 'denied', reason: refusalText(toolName, found.refused) }
    },

    async responses(messages) {
      const parts = messages.flatMap(({ content }) =>
        typeof content === 'string' ? [] : (content as readonly ApprovalPart[]),
      )
      const answered = new Set(
        parts.filter(({ type }) => type === 'tool-approval-response').map(({ approvalId }) => approvalId),
      )
      const content: ApprovalMessage['content'] = []
      let waits = false
      for (const { type, approvalId, toolCallId } of parts) {
        if (type !== 'tool-approval-request' || approvalId === undefined || answered.has(approvalId)) continue
        const call = parts.find((part) => part.type === 'tool-call' && part.toolCallId === toolCallId)
        if (toolCallId === undefined || !isOurs(call?.toolName)) continue
        const { toolName, input } = call as Required<ApprovalPart>
        const found = await forecastCall({ toolName, toolCallId, input }, undefined)
        if (found.kind === 'wait') waits = true
        const refused = found.kind === 'refused' ? refusalError(toolName, found.refused) : undefined
        if (refused !== undefined && isTerminated(refused)) throw refused
        content.push({
          type: 'tool-approval-response',
          approvalId,
          approved: refused === undefined,
          ...defined({ reason: refused?.message }),
        })
      }
      return waits || content.length === 0 ? undefined : { role: 'tool', content }
    },
  }
}
