/** The real Claude Code with `--my-rules-first`: its own rules decide, and what they would ask its user about is asked through Banksman. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ScriptedCall, scene } from '../connected/agent-suite.ts'
import { type ConnectedClaudeCode, openClaudeCode } from './programs/connected-claude-code.ts'

const bash = (command: string): ScriptedCall => ({
  tool: 'Bash',
  arguments: { command, description: 'as asked' },
})
const NAMES = ['mine', 'approved', 'rejected', 'denied', 'down']

let claude: ConnectedClaudeCode
beforeAll(async () => {
  claude = await openClaudeCode(
    [
      ...NAMES.map((name) => scene(`make ${name}.`, [bash(`touch ${name}`)])),
      scene('edit it.', [bash('touch unedited')]),
      { steps: [{ say: 'Here.' }], repeat: true },
    ],
    { deny: ['Bash(touch mine)', 'Bash(touch denied)'] },
    { options: ['--my-rules-first'] },
  )
  claude.changeSettings((text) => text.replace('"Bash"', '"Bash(touch mine)"'))
  await claude.startServer()
  await claude.connect()
})
afterAll(() => claude?.close())

it('what its own rules allow runs unseen', async () => {
  await claude.say('make mine.')
  expect(claude.exists('mine')).toBe(true)
  expect((await claude.client().history({ limit: 5 })).items).toEqual([])
})

it('P3: what they would ask about waits for a person, and is reported as done', async () => {
  const done = claude.say('make approved.')
  await claude.pending()
  expect(claude.exists('approved')).toBe(false)
  const id = await claude.decide({ decision: 'approve' })
  await done
  expect(claude.exists('approved')).toBe(true)
  expect(await claude.client().get(id)).toMatchObject({ state: 'done', outcome: { kind: 'ok' } })
})

it('P3: it runs as a person edits it, and the model is told after it', async () => {
  const done = claude.say('edit it.')
  const [request] = await claude.pending()
  await claude.decide({ decision: 'edit', arguments: { ...request!.arguments, command: 'touch edited' } })
  await done
  expect([claude.exists('unedited'), claude.exists('edited')]).toEqual([false, true])
  expect(claude.told('edit it.')).toContain('touch edited')
})

it('what a person rejects and what the policy denies does not run, and the model reads why', async () => {
  const done = claude.say('make rejected.')
  await claude.decide({ decision: 'reject', reason: 'use the other folder' })
  await done
  await claude.say('make denied.')
  expect([claude.exists('rejected'), claude.exists('denied')]).toEqual([false, false])
  expect(claude.told('make rejected.')).toContain('use the other folder')
  expect(claude.told('make denied.')).toContain('is on the deny list')
})

it('P5: while the server is down, what they would ask about does not run', async () => {
  await claude.server().stop('SIGKILL')
  await claude.say('make down.')
  expect(claude.exists('down')).toBe(false)
})
