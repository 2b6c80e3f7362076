/** Google's Agent Development Kit with a model that follows a script. What a pause saves is the kit's session. */
import { BaseLlm, FunctionTool, GOOGLE_SEARCH, InMemorySessionService, LlmAgent, Runner } from '@google/adk'
import { type AdkOptions, guardTools, pausing } from 'banksman/adk'
import type { AdapterDriver, AgentRun, Scenario, Told, Turn } from 'banksman/testing'

interface Part {
  text?: string
  functionCall?: { id?: string; name?: string; args?: unknown }
  functionResponse?: { id?: string; name?: string; response?: Record<string, unknown> }
}

interface Content {
  role?: string
  parts?: Part[]
}

type Event = { content?: Content; author?: string } & Record<string, unknown>

/** What a tool was given, for one that asks for a confirmation itself. */
interface GivenContext {
  toolConfirmation?: { confirmed: boolean }
  requestConfirmation(request: { hint: string }): void
}

const PLACE = { appName: 'app', userId: 'u1' }
const CONFIRMATION = 'adk_request_confirmation'

export function createAdkDriver(): AdapterDriver {
  async function run(scenario: Scenario, saved?: Event[], isForged = false): Promise<AgentRun> {
    const model = new ScriptedModel(scenario.turns)
    const sessionService = new InMemorySessionService()
    const sessionId = scenario.session ?? 'none'
    const session = await sessionService.createSession({ ...PLACE, sessionId })
    for (const event of structuredClone(saved ?? []))
      await sessionService.appendEvent({ session, event: event as never })
    const read = async () => (await sessionService.getSession({ ...PLACE, sessionId }))!
    const saying = async (ended: AgentRun['ended'], error?: unknown): Promise<AgentRun> => ({
      ended,
      modelCalls: model.seen.length,
      told: toldIn(model.seen.at(-1) ?? []),
      preliminary: [],
      saved: JSON.parse(JSON.stringify((await read()).events)),
      ...(error === undefined ? {} : { error }),
    })
    try {
      const { tools, confirmations } = toolsOf(scenario)
      const agent = new LlmAgent({ name: 'main', model, tools: tools as never })
      const runner = new Runner({ appName: PLACE.appName, agent, sessionService })
      const isAsking = saved !== undefined && !isForged && confirmations !== undefined
      const answer = isAsking ? await confirmations((await read()) as never) : yesToAll(saved ?? [])
      if (saved !== undefined && answer === undefined) return { ...(await saying('paused')), saved }
      const newMessage = (answer ?? { role: 'user', parts: [{ text: 'go' }] }) as never
      let last: Event | undefined
      for await (const event of runner.runAsync({
        userId: PLACE.userId,
        sessionId,
        newMessage,
        ...(scenario.signal === undefined ? {} : { abortSignal: scenario.signal }),
      }))
        last = event as unknown as Event
      if (callsIn(last).some(({ name }) => name === CONFIRMATION)) return saying('paused')
      const hasAnswered = last?.content?.parts?.some(({ text }) => text !== undefined) === true
      return saying(hasAnswered && scenario.signal?.aborted !== true ? 'finished' : 'failed')
    } catch (error) {
      return saying('failed', error)
    }
  }

  return {
    cannot: {
      session: 'the kit has a session for every call',
      anyId: 'the kit gives an id to a call that has none',
      askTogether: 'the kit runs the calls of a step one after another (google/adk-js#233)',
      goOnInPart: 'the kit asks the model as soon as one confirmation of the step is answered',
      stream: 'a tool of the kit has one result',
      limitTools: 'the kit has no limit of time for a tool',
    },
    start: (scenario) => run(scenario),
    resume: (scenario, saved) => run(scenario, saved as Event[]),
    forge: (scenario, saved) => run(scenario, saved as Event[], true),
    pauseInTool(given) {
      const context = given as GivenContext
      if (context.toolConfirmation !== undefined) return 'an answer'
      context.requestConfirmation({ hint: 'Which?' })
      return 'nothing'
    },
    tamper(saved, callId, args) {
      const change = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(change)
        if (typeof value !== 'object' || value === null) return value
        const members = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)]))
        return members.id === callId && 'args' in members ? { ...members, args } : members
      }
      return change(saved)
    },
  }
}

class ScriptedModel extends BaseLlm {
  readonly seen: Content[][] = []
  private readonly turns: Turn[]

  constructor(turns: Turn[]) {
    super({ model: 'scripted' })
    this.turns = turns
  }

  override async *generateContentAsync({ contents }: { contents: unknown[] }) {
    const history = structuredClone(contents) as Content[]
    this.seen.push(history)
    const turn = this.turns[history.filter(({ role }) => role === 'model').length] ?? 'the script is over'
    const parts: Part[] =
      typeof turn === 'string'
        ? [{ text: turn }]
        : turn.map(({ id, tool, args }) => ({ functionCall: { id, name: tool, args } }))
    yield { content: { role: 'model', parts } } as never
  }

  override async connect(): Promise<never> {
    throw new Error('a scripted model has no live connection')
  }
}

function toolsOf(scenario: Scenario): {
  tools: readonly object[]
  confirmations?: ReturnType<typeof pausing>['confirmations']
} {
  const { guard, callId, agent, parentSession, remember, warn, pause, bare } = scenario
  const tools = scenario.tools.map(({ name, schema, run }) =>
    run === undefined
      ? Object.assign(Object.create(GOOGLE_SEARCH), { name })
      : new FunctionTool({
          name,
          description: `Does ${name}.`,
          parameters: schema as never,
          execute: (args: unknown, context: unknown) =>
            run(args, (context as { abortSignal?: AbortSignal }).abortSignal, context),
        }),
  )
  if (bare === true) return { tools }
  const options: AdkOptions = {
    ...(callId === undefined ? {} : { callId: ({ toolCallId }) => callId(toolCallId ?? '') }),
    agent,
    parentSession,
    remember,
    warn,
  }
  return pause === true ? pausing(guard, tools, options) : { tools: guardTools(guard, tools, options) }
}

function callsIn(event: Event | undefined): NonNullable<Part['functionCall']>[] {
  return (event?.content?.parts ?? []).flatMap(({ functionCall }) => functionCall ?? [])
}

/** As a page does that says yes to everything. */
function yesToAll(events: Event[]): Content | undefined {
  const asking = events.findLast((event) => callsIn(event).some(({ name }) => name === CONFIRMATION))
  if (asking === undefined) return undefined
  const parts = callsIn(asking).map(({ id }) => ({
    functionResponse: { id: id!, name: CONFIRMATION, response: { confirmed: true } },
  }))
  return { role: 'user', parts }
}

function toldIn(contents: Content[]): Told[] {
  return contents
    .flatMap(({ parts = [] }) => parts.flatMap(({ functionResponse }) => functionResponse ?? []))
    .filter(({ name }) => name !== CONFIRMATION)
    .map(({ id, response = {} }) => {
      const { error, result } = response
      const text = error ?? result ?? response
      return {
        callId: id ?? '',
        text: typeof text === 'string' ? text : JSON.stringify(text),
        isError: error !== undefined,
      }
    })
}

/** For a process of its own. */
export const createChildDriver = () => createAdkDriver()
