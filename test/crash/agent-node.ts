/** One of several processes with an agent on the same store. It notes each run of its tool before it says anything. */
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { readScript } from '../../src/agents/models/scripted/script.ts'
import { createScriptedModel } from '../../src/agents/models/scripted/scripted-model.ts'
import { defineTool } from '../../src/agents/tools/tool.ts'
import { openAgent } from '../../src/server/agent/open-agent.ts'
import { openChildGateway, person, tell } from './child-gateway.ts'

const [path = '', workspace = '', runsFile = '', text] = process.argv.slice(2)
const { gateway } = await openChildGateway({ path })
const note = defineTool({
  name: 'note',
  description: 'Writes a line down.',
  schema: z.strictObject({ line: z.string() }),
  async run({ line }) {
    appendFileSync(runsFile, `${line} ${process.pid}\n`)
    tell({ ran: line })
    await sleep(50)
    return { text: `noted ${line}` }
  },
})
const steps = ['1', '2', '3'].map((line) => ({ calls: [{ tool: 'note', arguments: { line } }] }))
const agent = openAgent({
  gateway,
  model: createScriptedModel(readScript([{ steps: [...steps, { say: 'all done' }] }])),
  workspace,
  tools: [note],
  report: () => {},
})
// Whoever only waits does not keep a process alive.
const alive = setInterval(() => {}, 60_000)
const ana = person('ana')
if (text !== undefined) await agent.say({ session: 's1', text }, ana)
await agent.resume()
tell({ ready: true })
for await (const event of agent.events('s1', { after: 't1-0' }, ana)) {
  if (event.kind === 'turn_ended') break
}
clearInterval(alive)
tell({ ended: true })
