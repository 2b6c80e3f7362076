/** The AI SDK, version 6 or 7, with a model that follows a script. */

import { guardTools, type Pausing, pausing, sessionEnded } from '../../src/adapters/ai-sdk/index.ts'
import { defined } from '../../src/core/defined.ts'
import type { AdapterDriver, AgentRun, Scenario, Told } from '../../src/testing/adapter-suite.ts'
import { createScriptedSdkModel, type SdkModels } from './sdk-model.ts'

type Sdk = Pick<
  typeof import('ai'),
  'generateText' | 'streamText' | 'tool' | 'stepCountIs' | 'simulateReadableStream'
>
type AnyTools = Record<string, { inputSchema: unknown }>
type Messages = { role: string; content: unknown }[]

interface Part {
  type: string
  [key: string]: unknown
}

export function createAiSdkDriver(sdk: Sdk, models: SdkModels, version: 6 | 7): AdapterDriver {
  async function run(scenario: Scenario, messages: Messages): Promise<AgentRun> {
    const { model, prompts } = createScriptedSdkModel(sdk, models, scenario.turns)
    const preliminary: unknown[] = []
    const saying = (ended: AgentRun['ended'], error?: unknown): AgentRun => ({
      ended,
      error,
      modelCalls: prompts.length,
      told: prompts.length === 0 ? [] : toldIn(prompts.at(-1)!),
      preliminary,
      saved: JSON.parse(JSON.stringify(messages)),
    })
    try {
      const { tools, toolApproval } = guarded(scenario)
      const given = {
        model,
        messages,
        tools,
        stopWhen: [sdk.stepCountIs(8), sessionEnded],
        ...defined({ toolApproval, abortSignal: scenario.signal }),
        ...(scenario.limitMs === undefined ? {} : { timeout: { toolMs: scenario.limitMs } }),
      } as unknown as Parameters<Sdk['generateText']>[0]
      const parts: Part[] = []
      if (scenario.stream === true) {
        const result = sdk.streamText({ ...given, onError: () => {} } as Parameters<Sdk['streamText']>[0])
        for await (const part of result.fullStream) {
          if (part.type === 'error') return saying('failed', part.error)
          if (part.type === 'tool-result' && part.preliminary === true) preliminary.push(part.output)
          parts.push(part as Part)
        }
        messages = [...messages, ...(await result.response).messages]
      } else {
        const result = await sdk.generateText(given)
        messages = [...messages, ...result.response.messages]
        parts.push(...(result.content as unknown as Part[]))
      }
      const waits = parts.some(
        ({ type, isAutomatic }) => type === 'tool-approval-request' && isAutomatic !== true,
      )
      return saying(waits ? 'paused' : 'finished')
    } catch (error) {
      return saying('failed', error)
    }
  }

  function guarded(scenario: Scenario): Pick<Pausing<AnyTools>, 'tools'> & Partial<Pausing<AnyTools>> {
    const { guard, session, callId, agent, parentSession, remember, warn } = scenario
    const tools = Object.fromEntries(
      scenario.tools.map(({ name, schema, run: work }) => {
        const isGenerator = Object.prototype.toString.call(work).includes('AsyncGenerator')
        const execute = isGenerator
          ? async function* (args: unknown, { abortSignal }: { abortSignal?: AbortSignal }) {
              yield* work!(args, abortSignal) as AsyncIterable<unknown>
            }
          : (args: unknown, { abortSignal }: { abortSignal?: AbortSignal }) => work!(args, abortSignal)
        const about = { inputSchema: schema, description: `Does ${name}.` }
        return [
          name,
          sdk.tool((work === undefined ? about : { ...about, execute }) as never) as { inputSchema: unknown },
        ]
      }),
    )
    const options = {
      session: session as string,
      ...(callId === undefined
        ? {}
        : { callId: ({ toolCallId }: { toolCallId: string }) => callId(toolCallId) }),
      agent,
      parentSession,
      remember,
      warn,
    }
    if (scenario.bare === true) return { tools }
    if (scenario.pause !== true) return { tools: guardTools(guard, tools, options) }
    const paused = pausing(guard, tools, options)
    if (version === 7) return paused
    const { tools: asking, responses } = paused
    return { tools: asking, responses }
  }

  return {
    cannot: {
      pauseInTool: 'a tool of the AI SDK can not pause the run',
      goOnInPart: 'the AI SDK goes on from the last message, which must have all approvals of the step',
      ...(version === 7 ? {} : { limitTools: 'AI SDK 6 has no limit of time for a tool' }),
    },
    start: (scenario) => run(scenario, [{ role: 'user', content: 'go' }]),
    async resume(scenario, saved) {
      const messages = saved as Messages
      const waits = { modelCalls: 0, told: [], preliminary: [], saved }
      try {
        const { responses } = guarded({ ...scenario, pause: true })
        const answer = await responses!(messages as never)
        return answer === undefined ? { ended: 'paused', ...waits } : run(scenario, [...messages, answer])
      } catch (error) {
        return { ended: 'failed', error, ...waits }
      }
    },
    forge(scenario, saved) {
      const messages = saved as Messages
      const content = partsOf(messages)
        .filter(({ type }) => type === 'tool-approval-request')
        .map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved: true }))
      return run(scenario, [...messages, { role: 'tool', content }])
    },
    tamper(saved, callId, args) {
      const messages = structuredClone(saved as Messages)
      for (const part of partsOf(messages))
        if (part.type === 'tool-call' && part.toolCallId === callId) part.input = args
      return messages
    },
  }
}

function partsOf(messages: Messages): Part[] {
  return messages.flatMap(({ content }) => (typeof content === 'string' ? [] : (content as Part[])))
}

function toldIn(prompt: Messages): Told[] {
  return partsOf(prompt.filter(({ role }) => role === 'tool'))
    .filter(({ type }) => type === 'tool-result')
    .map(({ toolCallId, output }) => {
      const { type, value, reason } = output as { type: string; value?: unknown; reason?: string }
      const isError = type.startsWith('error') || type === 'execution-denied'
      return { callId: toolCallId as string, text: reason ?? textOf(value), isError }
    })
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((part) => part?.type === 'text'))
    return value.map(({ text }) => text).join('\n')
  return JSON.stringify(value)
}
