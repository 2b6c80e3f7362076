/** The OpenAI Agents SDK with a model that follows a script. Its tools are made by `guardedTool`, or guarded once they are made. */
import { Agent, RunState, run as runAgent, setTracingDisabled, tool, Usage } from '@openai/agents'
import { guardedTool, guardTools, type OpenAIAgentsOptions, pausing } from 'banksman/openai-agents'
import type { AdapterDriver, AgentRun, Scenario, Told, Turn } from 'banksman/testing'

setTracingDisabled(true)

type Item = { type?: string; callId?: string; output?: unknown; arguments?: string }

export function createOpenAIAgentsDriver(kind: 'guardedTool' | 'guardTools'): AdapterDriver {
  async function run(scenario: Scenario, saved: string | undefined, isForged = false): Promise<AgentRun> {
    const { model, seen } = scriptedModel(scenario.turns)
    const saying = (ended: AgentRun['ended'], rest: { error?: unknown; saved?: unknown } = {}): AgentRun => ({
      ended,
      modelCalls: seen.length,
      told: toldIn(seen.at(-1) ?? []),
      preliminary: [],
      saved,
      ...rest,
    })
    try {
      const { tools, update } = guarded(scenario)
      const agent = new Agent({ name: 'main', model, tools: tools as never })
      const state = saved === undefined ? undefined : await RunState.fromString(agent, saved)
      if (state !== undefined) {
        if (isForged) for (const item of state.getInterruptions()) state.approve(item)
        else await update?.(state as never)
      }
      const options = scenario.signal === undefined ? {} : { signal: scenario.signal }
      const input = (state ?? 'go') as string
      const result =
        scenario.stream === true
          ? await runAgent(agent, input, { ...options, stream: true })
          : await runAgent(agent, input, options)
      if ('completed' in result) {
        for await (const _ of result) void _
        await result.completed
      }
      const waits = result.interruptions.length > 0
      return saying(waits ? 'paused' : 'finished', { saved: result.state.toString() })
    } catch (error) {
      return saying('failed', { error })
    }
  }

  function guarded(scenario: Scenario): {
    tools: readonly object[]
    update?: ReturnType<typeof pausing>['update']
  } {
    const { guard, session, callId, agent, parentSession, remember, warn, limitMs, pause } = scenario
    const options = {
      session: session as string,
      ...(callId === undefined
        ? {}
        : ({ callId: ({ toolCallId }) => callId(toolCallId ?? '') } satisfies Partial<OpenAIAgentsOptions>)),
      agent,
      parentSession,
      remember,
      warn,
    }
    const isMade = kind === 'guardTools' || scenario.bare === true
    const make = isMade ? tool : guardedTool(guard, tool, { ...options, pause })
    const tools = scenario.tools.map(({ name, schema, run: work }) =>
      work === undefined
        ? { type: 'hosted_tool', name }
        : make({
            name,
            description: `Does ${name}.`,
            parameters: schema as never,
            errorFunction: (_: unknown, error: unknown) => `An error occurred: ${error}`,
            ...(limitMs === undefined ? {} : { timeoutMs: limitMs }),
            execute: (args: unknown, _: unknown, details?: { signal?: AbortSignal }) =>
              work(args, details?.signal),
          }),
    )
    if (scenario.bare === true) return { tools }
    return pause === true ? pausing(guard, tools, options) : { tools: guardTools(guard, tools, options) }
  }

  return {
    cannot: {
      pauseInTool: 'a tool of the OpenAI Agents SDK can not pause the run',
      stream: 'a tool of the OpenAI Agents SDK has one result',
      transform: '`tool()` takes no schema that JSON Schema can not say',
      reuseIds: 'the SDK itself ends the run when an id comes a second time',
      ...(kind === 'guardedTool'
        ? {}
        : { parse: 'the schema is known to `tool()` alone, which has been called' }),
    },
    start: (scenario) => run(scenario, undefined),
    resume: (scenario, saved) => run({ ...scenario, pause: true }, saved as string),
    forge: (scenario, saved) => run(scenario, saved as string, true),
    tamper(saved, callId, args) {
      const change = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(change)
        if (typeof value !== 'object' || value === null) return value
        const members = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)]))
        const isCall = members.callId === callId && typeof members.arguments === 'string'
        return isCall ? { ...members, arguments: JSON.stringify(args) } : members
      }
      return JSON.stringify(change(JSON.parse(saved as string)))
    },
  }
}

function scriptedModel(turns: Turn[]) {
  const seen: Item[][] = []
  const answer = ({ input }: { input: unknown }) => {
    const items = (Array.isArray(input) ? input : []) as Item[]
    seen.push(structuredClone(items))
    const turn = turns[turnsIn(items)] ?? 'the script is over'
    const output =
      typeof turn === 'string'
        ? [
            {
              type: 'message',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: turn }],
            },
          ]
        : turn.map(({ id, tool: name, args }) => ({
            type: 'function_call',
            callId: id,
            name,
            status: 'completed',
            arguments: JSON.stringify(args),
          }))
    return { usage: new Usage(), output, responseId: `r${seen.length}` }
  }
  const model = {
    getResponse: async (request: { input: unknown }) => answer(request),
    async *getStreamedResponse(request: { input: unknown }) {
      const { output, responseId: id } = answer(request)
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
      yield { type: 'response_started' }
      yield { type: 'response_done', response: { id, usage, output } }
    },
  }
  return { model: model as never, seen }
}

/** How often the model has answered: calls that stand together are one answer. */
function turnsIn(items: Item[]): number {
  return items.filter(
    ({ type }, index) => type === 'function_call' && items[index - 1]?.type !== 'function_call',
  ).length
}

function toldIn(items: Item[]): Told[] {
  return items
    .filter(({ type }) => type === 'function_call_result')
    .map(({ callId, output }) => {
      const text = textOf(output)
      return {
        callId: callId!,
        text,
        // The SDK has no errors of tools. The sentence about an edit stands before one.
        isError: /^(\{"ran":false|An error)/m.test(text),
      }
    })
}

function textOf(output: unknown): string {
  if (typeof output === 'string') return output
  const { text } = (output ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : JSON.stringify(output)
}

/** For a process of its own. */
export const createChildDriver = () => createOpenAIAgentsDriver('guardedTool')
