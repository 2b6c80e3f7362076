/**
 * An agent in a process of its own. Arguments: `ai-sdk-6`, `ai-sdk-7`, an `agent` of LangChain or a `graph`, or a driver of `test/edges`; what to do, folder, and where the guard is: nothing for the SQLite file in
 * the folder, or a server's address and token. `die` kills the process inside of the tool.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { createClient } from '../../src/client/create-client.ts'
import { openGateway } from '../../src/index.ts'
import type { AdapterDriver, AgentRun, Scenario } from '../../src/testing/adapter-suite.ts'
import { SUITE_POLICY } from '../guard/suite-policy.ts'

const [framework, verb, folder = '', url, token] = process.argv.slice(2)
const gateway =
  url === undefined
    ? await openGateway({
        store: `sqlite:${join(folder, 'banksman.db')}`,
        policy: SUITE_POLICY,
        owner: 'ana',
      })
    : undefined
const scenario: Scenario = {
  guard: gateway ?? createClient({ url: url!, token: token! }),
  session: 'chat-7',
  pause: verb === 'pause' || verb === 'resume',
  tools: [
    {
      name: 'send_mail',
      schema: z.object({ to: z.string() }),
      run({ to }) {
        appendFileSync(join(folder, 'ran'), `${to}\n`)
        if (verb === 'die') process.kill(process.pid, 'SIGKILL')
        return `sent to ${to}`
      },
    },
  ],
  turns: [[{ id: 'c1', tool: 'send_mail', args: { to: 'ana' } }], 'done'],
}
const run = await runFramework()
await gateway?.close()
const { ended, told } = run
console.log(JSON.stringify({ ended, told, error: run.error === undefined ? undefined : String(run.error) }))
process.exit(0)

async function runFramework(): Promise<AgentRun> {
  switch (framework) {
    case 'agent':
    case 'graph':
      return langChain(framework)
    case 'ai-sdk-6':
    case 'ai-sdk-7':
      return aiSdk()
    default:
      return edge()
  }
}

/** One of those whose packages are installed for the edge tests alone. */
async function edge(): Promise<AgentRun> {
  const { createChildDriver } = await import(`../edges/frameworks/${framework}-driver.ts`)
  return goOnFromFile(createChildDriver(folder))
}

async function aiSdk(): Promise<AgentRun> {
  const version = framework === 'ai-sdk-6' ? 6 : 7
  const sdk = await import('ai')
  const models = await import('ai/test')
  const { createAiSdkDriver } = await import('./ai-sdk-driver.ts')
  return goOnFromFile(createAiSdkDriver(sdk, models, version))
}

async function goOnFromFile(driver: AdapterDriver): Promise<AgentRun> {
  const file = join(folder, 'messages.json')
  if (verb === 'resume') return driver.resume(scenario, JSON.parse(readFileSync(file, 'utf8')))
  const started = await driver.start(scenario)
  writeFileSync(file, JSON.stringify(started.saved))
  return started
}

async function langChain(kind: 'agent' | 'graph'): Promise<AgentRun> {
  const { createLangChainDriver } = await import('./langchain-driver.ts')
  const { FileSaver } = await import('./file-saver.ts')
  const saver = new FileSaver(join(folder, 'checkpoints'))
  const driver = createLangChainDriver(kind, () => saver)
  if (verb === 'resume') return driver.resume(scenario, { saver })
  return verb === 'again' ? driver.goOn(scenario, saver) : driver.start(scenario)
}
