/** Tools behind a guard for graphs of your own, with `ToolNode`. For `createAgent` take the middleware. */
import type { Guard } from '../../guard/contract.ts'
import { checkAdapter, warnOfUngated } from '../adapter-options.ts'
import { serverToolName } from './middleware.ts'
import { type LangChainOptions, passCall } from './pass-call.ts'
import type { LangChainTool } from './tool-schema.ts'

interface Invokable extends LangChainTool {
  invoke(input: unknown, config?: InvokeConfig): Promise<unknown>
}

interface InvokeConfig {
  configurable?: Record<string, unknown>
  context?: unknown
  signal?: AbortSignal
}

/**
 * The same tools, of the same types. Make the node with `handleToolErrors: false`: errors of tools are told to the model here, and
 * only that way the end of a session ends the run.
 */
export function guardTools<TOOLS extends readonly object[]>(
  guard: Guard,
  tools: TOOLS,
  options: LangChainOptions = {},
): TOOLS {
  checkAdapter(guard, options, true)
  const isInvokable = (tool: object): tool is Invokable => 'invoke' in tool
  const ungated = tools.filter((tool) => !isInvokable(tool)).map(serverToolName)
  warnOfUngated(ungated, 'the provider runs them', options.warn)
  return tools.map((tool) => (isInvokable(tool) ? guardTool(guard, tool, options) : tool)) as unknown as TOOLS
}

/** It inherits from the tool, so that everything else of it stays. */
function guardTool(guard: Guard, tool: Invokable, options: LangChainOptions): Invokable {
  const invoke: Invokable['invoke'] = (input, config = {}) => {
    const call = toolCallIn(input)
    return passCall(
      guard,
      {
        name: tool.name,
        id: call?.id,
        args: call === undefined ? input : call.args,
        tool,
        configurable: config.configurable,
        context: config.context,
        signal: config.signal,
      },
      (args, stop) => {
        const signal = config.signal === undefined ? stop : AbortSignal.any([config.signal, stop])
        return tool.invoke(call === undefined ? args : { ...call, args }, { ...config, signal })
      },
      options,
    )
  }
  const guarded = { value: invoke, writable: true, configurable: true }
  // `call` is the older name; what it inherits would run the tool past the guard.
  return Object.create(tool, { invoke: guarded, call: guarded })
}

/** As `ToolNode` gives it. Otherwise the input is the arguments, and the call's id must come from `callId`. */
function toolCallIn(input: unknown): { id?: string; args: unknown } | undefined {
  const { type, args } = (input ?? {}) as { type?: unknown; args?: unknown }
  return type === 'tool_call' && args !== undefined ? (input as { args: unknown }) : undefined
}
