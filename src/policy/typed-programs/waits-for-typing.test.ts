import { expect, it } from 'vitest'
import { compilePolicy } from '../compile-policy.ts'
import { readShell } from '../shell/read/read-shell.ts'
import OTHER_LINES from './fixtures/other-lines.json' with { type: 'json' }
import WAITING_LINES from './fixtures/waiting-lines.json' with { type: 'json' }
import { findWaiting } from './waits-for-typing.ts'

it.each(WAITING_LINES)('waits for what is typed: %j', (line) => {
  expect(findWaiting(readShell(line).commands)).toBeDefined()
})

it.each(OTHER_LINES)('does its work and ends: %j', (line) => {
  expect(findWaiting(readShell(line).commands)?.text).toBeUndefined()
})

const policy = compilePolicy(
  { allow: ['Bash'], mode: 'bypass' },
  {
    ownHouse: {
      files: [],
      folders: [],
      addresses: [],
      program: 'banksman',
      agents: { homes: ['/home/ana'], environment: {} },
    },
  },
)
const judge = (command: string, agent?: { name: string; parents?: string[] }) =>
  policy.evaluate({
    tool: 'Bash',
    arguments: { command },
    cwd: '/srv',
    ...(agent === undefined ? {} : { agent }),
  })

it('P11: is denied to an agent that types unseen, whatever the policy says, and to those that it started', () => {
  for (const agent of [{ name: 'codex' }, { name: 'worker', parents: ['codex'] }])
    expect(judge('cd /tmp && bash', agent)).toMatchObject({
      kind: 'deny',
      rule: 'built-in: waits for what is typed',
      reason: { code: 'deny.typed-program', values: { agent: 'Codex', command: 'bash' } },
    })
  expect(judge('bash -c ls', { name: 'codex' }).kind).not.toBe('deny')
})

it('is left to the policy where nothing can be typed unseen', () => {
  expect(judge('bash', { name: 'claude-code' }).kind).not.toBe('deny')
  expect(judge('bash').kind).not.toBe('deny')
})
