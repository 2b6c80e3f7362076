/** Pauses of frameworks that keep nothing: the state is a text that nobody has to write anywhere. Ours writes to the disk. */
import { Agent, RunState, run as runAgent, tool } from '@openai/agents'
import * as sdk from 'ai'
import * as models from 'ai/test'
import type { Gateway } from 'banksman'
import { pausing as pausingSdk } from 'banksman/ai-sdk'
import { guardedTool, pausing as pausingAgents } from 'banksman/openai-agents'
import { createScriptedSdkModel } from '../../adapters/sdk-model.ts'
import { DESCRIPTION, SCHEMA, TOOL } from '../contestant.ts'
import { scriptedModel } from '../frameworks/openai-agents.ts'
import { sdkTurns } from '../frameworks/sdk-prompts.ts'
import { approveCall, countingPlace, type PauseLoop, pauseLoop } from './pause-loop.ts'

export function aiSdkPause(gateway: Gateway | undefined): PauseLoop {
  const { place, ran } = countingPlace()
  const execute = (args: { to: string }) => place.send(args)
  const tools = { [TOOL]: sdk.tool({ description: DESCRIPTION, inputSchema: SCHEMA, execute }) }
  const name = `AI SDK, ${gateway === undefined ? 'its own' : 'Banksman'}`
  return pauseLoop(name, ran, async (session) => {
    const { model } = createScriptedSdkModel(sdk, models, sdkTurns(place))
    const paused = gateway === undefined ? undefined : pausingSdk(gateway, tools, { session })
    const given =
      paused === undefined
        ? { tools, toolApproval: { [TOOL]: 'user-approval' as const } }
        : { tools: paused.tools, toolApproval: paused.toolApproval as never }
    const stopWhen = sdk.isStepCount(3)
    const first = await sdk.generateText({ model, prompt: 'go', ...given, stopWhen })
    const saved = JSON.stringify([{ role: 'user', content: 'go' }, ...first.responseMessages])
    const messages = JSON.parse(saved) as sdk.ModelMessage[]
    if (gateway !== undefined) await approveCall(gateway, session)
    const response = paused === undefined ? yes(first.content) : await paused.responses(messages as never)
    await sdk.generateText({ model, messages: [...messages, response as never], ...given, stopWhen })
  })
}

function yes(content: { type: string }[]): sdk.ModelMessage {
  const asked = content.filter(({ type }) => type === 'tool-approval-request') as { approvalId?: string }[]
  return {
    role: 'tool',
    content: asked.map(({ approvalId }) => ({
      type: 'tool-approval-response',
      approvalId: approvalId!,
      approved: true,
    })),
  }
}

export function openAIAgentsPause(gateway: Gateway | undefined): PauseLoop {
  const { place, ran } = countingPlace()
  const about = {
    name: TOOL,
    description: DESCRIPTION,
    parameters: SCHEMA,
    execute: (args: { to: string }) => place.send(args),
  }
  const name = `OpenAI Agents, ${gateway === undefined ? 'its own' : 'Banksman'}`
  return pauseLoop(name, ran, async (session) => {
    const paused =
      gateway === undefined
        ? undefined
        : pausingAgents(gateway, [guardedTool(gateway, tool, { session, pause: true })(about)], { session })
    const tools = paused?.tools ?? [tool({ ...about, needsApproval: true })]
    const agent = new Agent({ name: 'main', model: scriptedModel(place) as never, tools: tools as never })
    const first = await runAgent(agent, 'go')
    const state = await RunState.fromString(agent, first.state.toString())
    if (gateway === undefined) for (const item of state.getInterruptions()) state.approve(item)
    else await approveCall(gateway, session)
    await paused?.update(state as never)
    await runAgent(agent, state as never)
  })
}
