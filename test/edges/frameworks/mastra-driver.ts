/** Mastra with a model that follows a script. What a pause saves is what its storage keeps of the run. */
import { Mastra } from '@mastra/core'
import { Agent } from '@mastra/core/agent'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { simulateReadableStream } from 'ai'
import * as models from 'ai/test'
import { guardTools, type MastraOptions, resumeRun } from 'banksman/mastra'
import type { AdapterDriver, AgentRun, Scenario, Told } from 'banksman/testing'
import { createScriptedSdkModel } from '../../adapters/sdk-model.ts'

interface Saved {
  runId: string
  snapshots: { workflowName: string; runId: string; snapshot: never }[]
}

/** What a tool was given, for one that suspends the run itself. */
interface GivenContext {
  agent?: { suspend(payload: unknown): Promise<unknown>; resumeData?: unknown }
}

const RUN = 'run-1'

export function createMastraDriver(): AdapterDriver {
  async function run(scenario: Scenario, saved?: Saved, isForged = false): Promise<AgentRun> {
    const { model, prompts } = createScriptedSdkModel(
      { simulateReadableStream },
      models as never,
      scenario.turns,
    )
    const storage = new InMemoryStore()
    const workflows = (await storage.getStore('workflows'))!
    const saying = async (ended: AgentRun['ended'], error?: unknown): Promise<AgentRun> => ({
      ended,
      modelCalls: prompts.length,
      told: toldIn(prompts.at(-1) ?? []),
      preliminary: [],
      saved: structuredClone({ runId: RUN, snapshots: (await workflows.listWorkflowRuns()).runs }),
      ...(error === undefined ? {} : { error }),
    })
    try {
      for (const { workflowName, runId, snapshot } of structuredClone(saved?.snapshots ?? []))
        await workflows.persistWorkflowSnapshot({ workflowName, runId, snapshot })
      const tools = toolsOf(scenario)
      const main = new Agent({
        id: 'main',
        name: 'main',
        instructions: 'Do it.',
        model,
        tools: tools as never,
      })
      const agent = new Mastra({ agents: { main }, storage, logger: false }).getAgent('main')
      const options = scenario.signal === undefined ? {} : { abortSignal: scenario.signal }
      const finish = async () => {
        if (saved === undefined) return start(agent, scenario, options)
        if (!isForged) return (await resumeRun(agent as never, RUN, options)) as Ended | undefined
        return forge(agent, options)
      }
      const ended = await finish()
      const isPaused = ended === undefined || ended.finishReason === 'suspended'
      if (isPaused) return saying('paused')
      return saying(ended.finishReason === 'stop' ? 'finished' : 'failed', ended.error)
    } catch (error) {
      return saying('failed', error)
    }
  }

  return {
    cannot: {
      stream: 'a tool of Mastra has one result, and a writer of its own for what comes before',
      limitTools: 'Mastra has no limit of time for a tool',
      reuseIds: 'Mastra takes a call whose id came before for the same call',
    },
    start: (scenario) => run(scenario),
    resume: (scenario, saved) => run(scenario, saved as Saved),
    forge: (scenario, saved) => run(scenario, saved as Saved, true),
    async pauseInTool(given) {
      const { agent } = given as GivenContext
      if (agent?.resumeData !== undefined) return 'an answer'
      await agent?.suspend({ question: 'Which?' })
      return 'nothing'
    },
    tamper(saved, callId, args) {
      const change = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(change)
        if (typeof value !== 'object' || value === null) return value
        const members = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)]))
        if (members.toolCallId !== callId) return members
        return {
          ...members,
          ...('args' in members ? { args } : {}),
          ...('input' in members ? { input: args } : {}),
        }
      }
      return change(JSON.parse(JSON.stringify(saved)))
    },
  }
}

interface Ended {
  finishReason?: string | undefined
  error?: unknown
}

async function start(agent: Agent, { stream }: Scenario, options: object): Promise<Ended> {
  if (stream !== true) return agent.generate('go', { ...options, runId: RUN }) as Promise<Ended>
  const output = await agent.stream('go', { ...options, runId: RUN })
  return (await output.getFullOutput()) as Ended
}

/** As a page does that says yes to everything. */
async function forge(agent: Agent, options: object): Promise<Ended | undefined> {
  const { runs } = await agent.listSuspendedRuns()
  let last: Ended | undefined
  for (const { toolCallId } of runs.flatMap((one) => one.toolCalls)) {
    const given = { ...options, runId: RUN, toolCallId: toolCallId! }
    last = await (agent.resumeGenerate({ approved: true }, given) as Promise<Ended>).catch((error) => {
      if (runs[0]!.toolCalls.length === 1) throw error
      return undefined
    })
  }
  return last
}

function toolsOf(scenario: Scenario): Record<string, object> {
  const { guard, session, callId, agent, parentSession, remember, warn, pause, bare } = scenario
  const tools = Object.fromEntries(
    scenario.tools.map(({ name, schema, run }) => [
      name,
      createTool({
        id: name,
        description: `Does ${name}.`,
        inputSchema: schema as never,
        ...(run === undefined
          ? {}
          : {
              execute: async (input: unknown, context: unknown) =>
                run(input, (context as { abortSignal?: AbortSignal }).abortSignal, context),
            }),
      } as never) as object,
    ]),
  )
  if (bare === true) return tools
  const options: MastraOptions = {
    session: session as string,
    ...(callId === undefined ? {} : { callId: ({ toolCallId }) => callId(toolCallId ?? '') }),
    agent,
    parentSession,
    remember,
    warn,
    pause,
  }
  return guardTools(guard, tools, options)
}

interface ToolPart {
  toolCallId: string
  output: { type: string; value?: unknown }
}

function toldIn(prompt: { role: string; content: unknown }[]): Told[] {
  return prompt
    .filter(({ role }) => role === 'tool')
    .flatMap(({ content }) => content as ToolPart[])
    .map(({ toolCallId, output: { type, value } }) => ({
      callId: toolCallId,
      text: typeof value === 'string' ? value : JSON.stringify(value),
      isError: type.startsWith('error'),
    }))
}

/** For a process of its own. */
export const createChildDriver = () => createMastraDriver()
