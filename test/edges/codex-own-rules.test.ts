/**
 * The real Codex with `--my-rules-first`, driven as an editor does it: `codex exec` asks nobody. Its own rules decide, and what they would ask
 * its user about is asked through Banksman first. Its user says no to all of it.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ScriptedCall, scene } from '../connected/agent-suite.ts'
import type { CodexAppServer } from './programs/codex-app-server.ts'
import { type ConnectedCodex, openCodex } from './programs/connected-codex.ts'

const exec = (cmd: string): ScriptedCall => ({
  tool: 'exec_command',
  arguments: { cmd, yield_time_ms: 2000 },
})
const NAMES = ['approved', 'rejected', 'denied', 'allowed', 'down']

let codex: ConnectedCodex
let editor: CodexAppServer
beforeAll(async () => {
  codex = await openCodex(
    [
      ...NAMES.map((name) => scene(`make ${name}.`, [exec(`touch ${name}`)])),
      scene('make mine.', [exec('tee mine')]),
      scene('edit it.', [exec('touch unedited')]),
      { steps: [{ say: 'Here.' }], repeat: true },
    ],
    { allow: ['Bash(touch allowed)'], deny: ['Bash(touch denied)', 'Bash(tee *)'] },
    ['--my-rules-first'],
  )
  mkdirSync(join(codex.home, '.codex', 'rules'))
  codex.write('rules/mine.rules', 'prefix_rule(pattern = ["touch"], decision = "prompt")\n')
  await codex.startServer()
  await codex.connect()
  editor = await codex.openAppServer()
})
afterAll(async () => {
  await editor?.close()
  await codex?.close()
})

it('what its own rules let through runs unseen', async () => {
  await editor.say('make mine.')
  expect(codex.exists('mine')).toBe(true)
  expect((await codex.client().history({ limit: 5 })).items).toEqual([])
})

it('P3: what they would ask about waits for a person, its user is not asked, and it is reported as done', async () => {
  const done = editor.say('make approved.')
  await codex.pending()
  expect(codex.exists('approved')).toBe(false)
  const id = await codex.decide({ decision: 'approve' })
  await done
  expect(codex.exists('approved')).toBe(true)
  expect(editor.asked).toEqual([])
  expect(await codex.client().get(id)).toMatchObject({ state: 'done', outcome: { kind: 'ok' } })
})

it('P3: it takes no other arguments, so an edit is not offered', async () => {
  const done = editor.say('edit it.')
  const edited = codex.decide({ decision: 'edit', arguments: { command: 'touch edited' } })
  await expect(edited).rejects.toThrow("doesn't take edit")
  await codex.decide({ decision: 'reject' })
  await done
  expect([codex.exists('unedited'), codex.exists('edited')]).toEqual([false, false])
})

it('what a person rejects and what the policy denies does not run, and the model reads why', async () => {
  const done = editor.say('make rejected.')
  await codex.decide({ decision: 'reject', reason: 'use the other folder' })
  await done
  await editor.say('make denied.')
  expect([codex.exists('rejected'), codex.exists('denied')]).toEqual([false, false])
  expect(codex.told('make rejected.')).toContain('use the other folder')
  expect(codex.told('make denied.')).toContain('is on the deny list')
  expect(editor.asked).toEqual([])
})

it('what the policy allows is left to its user', async () => {
  await editor.say('make allowed.')
  expect(codex.exists('allowed')).toBe(false)
  expect(editor.asked).toEqual([expect.stringContaining('touch allowed')])
})

it('P5: while the server is down, what they would ask about does not run, and the model reads why', async () => {
  await codex.server().stop('SIGKILL')
  await editor.say('make down.')
  expect(codex.exists('down')).toBe(false)
  expect(codex.told('make down.')).toContain('the server is not running')
})
