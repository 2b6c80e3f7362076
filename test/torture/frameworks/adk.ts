/** Google's Agent Development Kit with `requireConfirmation`, or with Banksman. Both on its database sessions, in SQLite. */
import { join } from 'node:path'
import {
  BaseLlm,
  DatabaseSessionService,
  FunctionTool,
  LlmAgent,
  LogLevel,
  Runner,
  setLogLevel,
} from '@google/adk'
import { BetterSqliteDriver } from '@mikro-orm/better-sqlite'
import { pausing } from 'banksman/adk'
import {
  type Answer,
  DESCRIPTION,
  ending,
  type MakeContestant,
  type Place,
  readState,
  SCHEMA,
  type ScriptedCall,
  TOOL,
  turnAt,
  writeState,
} from '../contestant.ts'
import { tamperTable } from './tamper-table.ts'

setLogLevel(LogLevel.ERROR)

interface Part {
  text?: string
  functionCall?: { id?: string; name?: string; args?: Record<string, unknown> }
  functionResponse?: { id?: string; name?: string; response?: Record<string, unknown> }
}

interface Content {
  role?: string
  parts?: Part[]
}

/** A person's answer, as it is sent to the kit. */
interface Confirmation {
  id: string
  confirmed: boolean
}

const FILE = 'answers.json'
const PLACE = { appName: 'app', userId: 'u1' }
const CONFIRMATION = 'adk_request_confirmation'

export const createAdk: MakeContestant = (place, guard) => {
  const file = join(place.folder, 'adk.db')
  const sessionService = new DatabaseSessionService({ driver: BetterSqliteDriver, dbName: file } as never)
  const sessionId = place.session
  const plain = [
    new FunctionTool({
      name: TOOL,
      description: DESCRIPTION,
      parameters: SCHEMA as never,
      execute: (args: unknown) => place.send(args as { to: string }),
      requireConfirmation: guard === undefined,
    } as never),
  ]
  const paused = guard === undefined ? undefined : pausing(guard, plain)
  const agent = new LlmAgent({
    name: 'main',
    model: new ScriptedModel(place),
    tools: (paused?.tools ?? plain) as never,
  })
  const runner = new Runner({ appName: PLACE.appName, agent, sessionService })
  const read = async () => (await sessionService.getSession({ ...PLACE, sessionId }))!

  const run = (newMessage: Content) =>
    ending(async () => {
      let last: Content | undefined
      const given = { userId: PLACE.userId, sessionId, newMessage: newMessage as never }
      for await (const event of runner.runAsync(given)) {
        const { content, errorMessage } = event as { content?: Content; errorMessage?: string }
        if (errorMessage !== undefined) throw new Error(errorMessage)
        last = content
      }
      return callsIn(last).some(({ name }) => name === CONFIRMATION) ? 'paused' : 'finished'
    })

  /** What the kit has asked about. A page that shows it knows the confirmation's id, and sends it back with the answer. */
  async function confirmationsFor(answers: Record<string, Answer>): Promise<Confirmation[]> {
    const asked = (await read()).events.flatMap(({ content }) => callsIn(content as Content | undefined))
    return asked.flatMap(({ id, name, args }) => {
      if (name !== CONFIRMATION) return []
      const answer = answers[(args!.originalFunctionCall as { id: string }).id]
      return answer === undefined ? [] : [{ id: id!, confirmed: answer === 'approve' }]
    })
  }

  const confirm = (confirmations: Confirmation[]) =>
    run({
      role: 'user',
      parts: confirmations.map(({ id, confirmed }) => ({
        functionResponse: { id, name: CONFIRMATION, response: { confirmed } },
      })),
    })

  return {
    async start() {
      await sessionService.createSession({ ...PLACE, sessionId })
      return run({ role: 'user', parts: [{ text: 'go' }] })
    },

    async answer(answers) {
      writeState(place, FILE, await confirmationsFor(answers))
    },

    async goOn() {
      if (paused === undefined) return confirm(readState<Confirmation[]>(place, FILE)!)
      const newMessage = await paused.confirmations((await read()) as never)
      return newMessage === undefined ? { ended: 'paused' } : run(newMessage)
    },

    tamper: async (callId, to) => changeEvents(callId, { id: callId, to }),

    async forge({ id, to }) {
      changeEvents('c1', { id, to })
      const confirmations = await confirmationsFor({ [id]: 'approve' })
      writeState(place, FILE, confirmations)
      return confirm(confirmations)
    },
  }

  function changeEvents(callId: string, { id, to }: ScriptedCall): void {
    const change = (members: Record<string, unknown>) =>
      members.id === callId && 'args' in members ? { ...members, id, args: { to } } : members
    tamperTable(file, { table: 'events', column: 'event_data' }, change)
  }
}

class ScriptedModel extends BaseLlm {
  private readonly place: Place

  constructor(place: Place) {
    super({ model: 'scripted' })
    this.place = place
  }

  override async *generateContentAsync({ contents }: { contents: unknown[] }) {
    const history = contents as Content[]
    const results = history.flatMap(({ parts = [] }) =>
      parts.flatMap(({ functionResponse }) => functionResponse ?? []),
    )
    this.place.modelSaw(
      Object.fromEntries(results.map(({ id, response }) => [id ?? '', JSON.stringify(response)])),
    )
    const turn = turnAt(this.place, history.filter(({ role }) => role === 'model').length)
    const parts: Part[] =
      typeof turn === 'string'
        ? [{ text: turn }]
        : turn.map(({ id, to }) => ({ functionCall: { id, name: TOOL, args: { to } } }))
    yield { content: { role: 'model', parts } } as never
  }

  override async connect(): Promise<never> {
    throw new Error('a scripted model has no live connection')
  }
}

function callsIn(content: Content | undefined): NonNullable<Part['functionCall']>[] {
  return (content?.parts ?? []).flatMap(({ functionCall }) => functionCall ?? [])
}
