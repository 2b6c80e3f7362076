/** Has an agent try both: a command that is forced, which each hook denies, and one that is not, which runs. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openGateway } from 'banksman'
import { createScriptedModel, openAgent } from 'banksman/agent'
import { createProcessHook } from 'banksman/hooks'

const here = fileURLToPath(new URL('.', import.meta.url))
const you = { subject: 'you', role: 'admin', via: 'example' }
const echo = (...words) => ({ tool: 'exec', arguments: { command: 'echo', arguments: words } })

export async function check() {
  await tryWith([process.execPath, 'hook.js'])
  const hasPython = spawnSync('python3', ['--version']).status === 0
  if (hasPython) await tryWith(['python3', 'hook.py'])
  console.log('hook: as it should be')
}

async function tryWith(command) {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-example-hook-'))
  const gateway = await openGateway({ store: 'memory:', policy: { allow: ['exec'] }, owner: 'you' })
  const agent = openAgent({
    gateway,
    workspace: folder,
    model: createScriptedModel([{ steps: [{ calls: [echo('--force'), echo('gently')] }, { say: 'done' }] }]),
    hooks: [
      {
        name: 'no-force',
        kind: 'process',
        hook: createProcessHook({ name: 'no-force', command, dir: here, intercept: ['before_tool'] }),
      },
    ],
  })
  try {
    const { turn, after } = await agent.say({ session: 'example', text: 'go' }, you)
    const seen = []
    for await (const event of agent.events('example', { after }, you)) {
      if (event.kind === 'call_refused') seen.push(`${event.state} by ${event.by}`)
      if (event.kind === 'call_finished') seen.push(event.ok ? 'ran' : event.text)
      if (event.kind === 'turn_ended' && event.turn === turn) break
    }
    assert.deepEqual(seen, ['denied by no-force', 'ran'], command.join(' '))
  } finally {
    await agent.close()
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
