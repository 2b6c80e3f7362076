/** The OpenAI Agents SDK with `needsApproval`, or with Banksman. The program keeps the `RunState` in a file. */
import { Agent, RunState, run as runAgent, setTracingDisabled, tool, Usage } from '@openai/agents'
import { guardedTool, pausing } from 'banksman/openai-agents'
import {
  type Answer,
  changeObjects,
  DESCRIPTION,
  ending,
  type MakeContestant,
  type Place,
  readState,
  SCHEMA,
  TOOL,
  turnAt,
  writeState,
} from '../contestant.ts'

setTracingDisabled(true)

const FILE = 'run-state.json'

interface Kept {
  state: string
  isPaused: boolean
}

interface Item {
  type?: string
  role?: string
  callId?: string
  output?: unknown
}

export const createOpenAIAgents: MakeContestant = (place, guard) => {
  const about = {
    name: TOOL,
    description: DESCRIPTION,
    parameters: SCHEMA,
    execute: (args: { to: string }) => place.send(args),
  }
  const session = place.session
  const make = guard === undefined ? undefined : guardedTool(guard, tool, { session, pause: true })
  const paused = guard === undefined ? undefined : pausing(guard, [make!(about)], { session })
  const tools = paused?.tools ?? [tool({ ...about, needsApproval: true })]
  const agent = new Agent({ name: 'main', model: scriptedModel(place) as never, tools: tools as never })

  const run = (input: string | RunState<unknown, typeof agent>) =>
    ending(async () => {
      const { state, interruptions } = await runAgent(agent, input as string)
      const isPaused = interruptions.length > 0
      keep(state.toString(), isPaused)
      return isPaused ? 'paused' : 'finished'
    })
  const keep = (state: string, isPaused: boolean) =>
    writeState(place, FILE, { state, isPaused } satisfies Kept)
  const load = async () => RunState.fromString(agent, readState<Kept>(place, FILE)!.state)
  const callIdOf = (item: { rawItem: object }) => (item.rawItem as { callId: string }).callId

  return {
    start: () => run('go'),

    async answer(answers) {
      const state = await load()
      const open = state.getInterruptions()
      for (const item of open) {
        const answer: Answer | undefined = answers[callIdOf(item)]
        if (answer === 'approve') state.approve(item)
        if (answer === 'reject') state.reject(item, { message: 'a person said no' })
      }
      keep(state.toString(), open.length > 0)
    },

    async goOn() {
      if (readState<Kept>(place, FILE)?.isPaused !== true) return { ended: 'finished' }
      const state = await load()
      await paused?.update(state as never)
      return run(state as never)
    },

    async tamper(callId, to) {
      const change = (item: Record<string, unknown>) =>
        item.callId === callId && typeof item.arguments === 'string'
          ? { ...item, arguments: JSON.stringify({ to }) }
          : item
      changeState((state) => changeObjects(state, change))
    },

    async forge({ id, to }) {
      const change = (item: Record<string, unknown>) =>
        item.callId !== undefined && typeof item.arguments === 'string'
          ? { ...item, callId: id, arguments: JSON.stringify({ to }) }
          : item
      changeState((saved) => changeObjects(saved, change))
      // Writes into the state what whoever can change it could write by hand: nothing in it is signed.
      const state = await load()
      for (const item of state.getInterruptions()) state.approve(item)
      return run(state as never)
    },
  }

  function changeState(change: (state: unknown) => unknown): void {
    const { state } = readState<Kept>(place, FILE)!
    keep(JSON.stringify(change(JSON.parse(state))), true)
  }
}

export function scriptedModel(place: Place) {
  let responses = 0
  return {
    async getResponse({ input }: { input: unknown }) {
      const items = (Array.isArray(input) ? input : []) as Item[]
      const results = items.filter(({ type }) => type === 'function_call_result')
      place.modelSaw(
        Object.fromEntries(results.map(({ callId, output }) => [callId!, JSON.stringify(output)])),
      )
      // Calls that stand together are one answer.
      const isCall = (item: Item | undefined) => item?.type === 'function_call'
      const turn = turnAt(
        place,
        items.filter((item, index) => isCall(item) && !isCall(items[index - 1])).length,
      )
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
          : turn.map(({ id, to }) => ({
              type: 'function_call',
              callId: id,
              name: TOOL,
              status: 'completed',
              arguments: JSON.stringify({ to }),
            }))
      return { usage: new Usage(), output, responseId: `r${++responses}` }
    },
    getStreamedResponse() {
      throw new Error('nothing is streamed here')
    },
  }
}
