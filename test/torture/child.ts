/** One process of a case. Argument: its orders. Prints how each step ended. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { appendTo, type MakeContestant, type Place, type RunEnd } from './contestant.ts'
import { answerRequests, awaitExpiry, openTortureGateway } from './gateway.ts'
import type { Orders, Step } from './steps.ts'

const FRAMEWORKS: Record<string, () => Promise<MakeContestant>> = {
  'ai-sdk': async () => (await import('./frameworks/ai-sdk.ts')).createAiSdk,
  langchain: async () => (await import('./frameworks/langchain.ts')).createLangChain,
  'openai-agents': async () => (await import('./frameworks/openai-agents.ts')).createOpenAIAgents,
  mastra: async () => (await import('./frameworks/mastra.ts')).createMastra,
  adk: async () => (await import('./frameworks/adk.ts')).createAdk,
}

const HOLD_AT_MOST_MS = 30_000
const SESSION = 'chat-7'

const orders = JSON.parse(process.argv[2]!) as Orders
const { framework, folder, turns, steps, expiresIn, inTool } = orders

const place: Place = {
  folder,
  session: SESSION,
  turns,
  async send({ to }) {
    appendTo(folder, 'ran', to)
    if (inTool === 'die') process.kill(process.pid, 'SIGKILL')
    if (inTool === 'hold') await untilReleased()
    return `sent to ${to}`
  },
  modelSaw: (results) => appendTo(folder, 'seen', JSON.stringify(results)),
}
const gateway = orders.withBanksman ? await openTortureGateway(folder, expiresIn) : undefined
const make = await FRAMEWORKS[framework]!()
const ended: object[] = []
for (const step of steps) ended.push({ did: step.do, ...(await perform(step)) })
console.log(JSON.stringify(ended))
await gateway?.close()
process.exit(0)

async function perform(step: Step): Promise<RunEnd | object> {
  // Anew for each step: nothing may go by what a process remembers.
  const contestant = await make(place, gateway)
  switch (step.do) {
    case 'start':
      return contestant.start()
    case 'goOn':
      return contestant.goOn()
    case 'forge':
      return contestant.forge(step.call)
    case 'answer':
      if (gateway !== undefined)
        return { refused: await answerRequests(gateway, SESSION, step.answers, step.by ?? 'ana') }
      // Who it is can't be said.
      await contestant.answer(step.answers)
      return {}
    case 'tamper':
      await contestant.tamper(step.callId, step.to)
      return {}
    case 'expire':
      if (gateway !== undefined) await awaitExpiry(gateway, SESSION, step.callId)
      return {}
    case 'die':
      process.kill(process.pid, 'SIGKILL')
      return {}
  }
}

async function untilReleased(): Promise<void> {
  appendTo(folder, 'entered', String(process.pid))
  const giveUpAt = Date.now() + HOLD_AT_MOST_MS
  while (!existsSync(join(folder, 'released'))) {
    if (Date.now() > giveUpAt) throw new Error('nobody released the tool')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
