/** Every tool call of an agent that `createAgent` made, behind a guard. */
import type { ToolMessage } from '@langchain/core/messages'
import type { Command } from '@langchain/langgraph'
import { type AgentMiddleware, createMiddleware } from 'langchain'
import type { Guard } from '../../guard/contract.ts'
import { checkAdapter, warnOfUngated } from '../adapter-options.ts'
import { type LangChainOptions, passCall } from './pass-call.ts'
import { answerOpenCalls } from './tool-messages.ts'
import type { LangChainTool } from './tool-schema.ts'

/** Put it last in `middleware`, so that it sees the arguments that the tool gets. */
export function banksman(guard: Guard, options: LangChainOptions = {}): AgentMiddleware {
  checkAdapter(guard, options, true)
  let isWarned = false
  return createMiddleware({
    name: 'Banksman',
    wrapToolCall(request, handler) {
      const { toolCall, tool, runtime } = request
      const { name, id, args } = toolCall
      const { configurable, context, signal } = runtime
      return passCall(
        guard,
        { name, id, args, tool: tool as LangChainTool | undefined, configurable, context, signal },
        async (approved) => handler({ ...request, toolCall: { ...toolCall, args: approved } }),
        options,
      ) as Promise<ToolMessage | Command>
    },
    // Not without `pause`: a model's own errors would reach you in a wrapper.
    ...(options.pause === true
      ? {
          wrapModelCall(request, handler) {
            if (!isWarned) warnOfServerTools(request.tools, options)
            isWarned = true
            return handler({ ...request, messages: answerOpenCalls(request.messages) })
          },
        }
      : {}),
  })
}

/** The provider runs them, and no middleware is asked. */
function warnOfServerTools(tools: readonly object[], { warn }: LangChainOptions): void {
  const names = tools.filter((tool) => !('invoke' in tool)).map(serverToolName)
  warnOfUngated(names, 'the provider runs them', warn)
}

export function serverToolName(tool: object): string {
  const { name, type } = tool as { name?: unknown; type?: unknown }
  return String(name ?? type ?? 'a tool without a name')
}
