/** Mastra with `requireApproval`, or with Banksman. Both keep suspended runs in LibSQL, its durable storage. */
import { join } from 'node:path'
import { Mastra } from '@mastra/core'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { LibSQLStore } from '@mastra/libsql'
import { simulateReadableStream } from 'ai'
import * as models from 'ai/test'
import { guardTools, resumeRun } from 'banksman/mastra'
import { createScriptedSdkModel } from '../../adapters/sdk-model.ts'
import {
  type Answer,
  changeObjects,
  DESCRIPTION,
  ending,
  type MakeContestant,
  readState,
  SCHEMA,
  type ScriptedCall,
  TOOL,
  writeState,
} from '../contestant.ts'
import { sdkResults, sdkTurns } from './sdk-prompts.ts'

const RUN = 'run-1'

interface Ended {
  finishReason?: string | undefined
  error?: unknown
}

export const createMastra: MakeContestant = async (place, guard) => {
  const { model } = createScriptedSdkModel(
    { simulateReadableStream },
    models as never,
    sdkTurns(place),
    (prompt) => place.modelSaw(sdkResults(prompt)),
  )
  const plain = createTool({
    id: TOOL,
    description: DESCRIPTION,
    inputSchema: SCHEMA,
    execute: (args) => place.send(args),
    requireApproval: guard === undefined,
  })
  const tools = { [TOOL]: plain }
  const guarded =
    guard === undefined ? tools : guardTools(guard, tools, { session: place.session, pause: true })
  const storage = new LibSQLStore({ id: 'torture', url: `file:${join(place.folder, 'mastra.db')}` })
  const main = new Agent({ id: 'main', name: 'main', instructions: 'Do it.', model, tools: guarded })
  const agent = new Mastra({ agents: { main }, storage, logger: false }).getAgent('main')

  const suspended = async () => (await agent.listSuspendedRuns()).runs.flatMap(({ toolCalls }) => toolCalls)
  const endOf = (ended: Ended | undefined) => {
    if (ended === undefined || ended.finishReason === 'suspended') return 'paused' as const
    if (ended.error !== undefined) throw ended.error
    return 'finished' as const
  }

  async function deliver(answers: Record<string, Answer>): Promise<Ended | undefined> {
    let last: Ended | undefined
    for (const { toolCallId } of await suspended()) {
      const answer = answers[toolCallId!]
      if (answer === undefined) continue
      const about = { runId: RUN, toolCallId: toolCallId! }
      last = (await (answer === 'approve'
        ? agent.approveToolCallGenerate(about)
        : agent.declineToolCallGenerate({ ...about, reason: 'a person said no' }))) as Ended
    }
    return last
  }

  return {
    start: () => ending(async () => endOf((await agent.generate('go', { runId: RUN })) as Ended)),

    async answer(answers) {
      writeState(place, 'answers.json', { ...readState<object>(place, 'answers.json'), ...answers })
    },

    goOn: () =>
      ending(async () => {
        if (guard !== undefined) return endOf((await resumeRun(agent as never, RUN)) as Ended | undefined)
        const isSuspended = (await suspended()).length > 0
        const ended = await deliver(readState(place, 'answers.json') ?? {})
        return isSuspended ? endOf(ended) : 'finished'
      }),

    async tamper(callId, to) {
      await changeSnapshots(callId, { id: callId, to })
    },

    async forge({ id, to }) {
      await changeSnapshots('c1', { id, to })
      return ending(async () => {
        if (guard === undefined) return endOf(await deliver({ [id]: 'approve' }))
        const about = { runId: RUN, toolCallId: id }
        return endOf((await agent.resumeGenerate({ approved: true }, about)) as Ended)
      })
    },
  }

  async function changeSnapshots(callId: string, { id, to }: ScriptedCall): Promise<void> {
    const workflows = (await storage.getStore('workflows'))!
    const change = (members: Record<string, unknown>) => {
      if (members.toolCallId !== callId) return members
      const changed: Record<string, unknown> = { ...members, toolCallId: id }
      for (const key of ['args', 'input']) if (key in members) changed[key] = { to }
      return changed
    }
    for (const { workflowName, runId, snapshot } of (await workflows.listWorkflowRuns()).runs)
      await workflows.persistWorkflowSnapshot({
        workflowName,
        runId,
        snapshot: changeObjects(snapshot, change) as never,
      })
  }
}
