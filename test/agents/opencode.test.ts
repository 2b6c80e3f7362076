/** The real opencode behind `banksman connect opencode`, on a model that follows a script. Its own rules allow every command. */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json/json.ts'
import { type ConnectedAgent, standIn } from '../connected/connected-agent.ts'
import { hasOpencode, openOpencode } from './connected-opencode.ts'

type Call = { tool: string; arguments: JsonObject }
const bash = (command: string): Call => ({ tool: 'bash', arguments: { command, description: 'as asked' } })
const scene = (when: string, ...steps: Call[][]) => ({
  when,
  steps: [
    ...steps.map((calls) => ({ calls: calls.map((call) => ({ ...call, id: `call_${randomUUID()}` })) })),
    { say: 'Done.' },
  ],
})
const touching = (name: string) => scene(`make ${name}.`, [bash(`touch ${name}`)])
const NAMES = [
  'allowed',
  'denied',
  'approved',
  'rejected',
  'down',
  'status',
  'page',
  'garbage',
  'silent',
  'broken',
  'removed',
  'after',
  'again',
]
const POLICY = { allow: ['Bash(touch allowed*)', 'Bash(touch again)'], deny: ['Bash(touch denied*)'] }
const maybe = { decision: 'maybe' }

describe.skipIf(!hasOpencode)('opencode', () => {
  let opencode: ConnectedAgent
  let plugin: string

  beforeAll(async () => {
    opencode = await openOpencode(
      [
        ...NAMES.map(touching),
        scene('edit it.', [bash('touch unedited')]),
        scene('write it.', [
          { tool: 'write', arguments: { filePath: 'written.txt', content: 'as approved\n' } },
        ]),
        scene('both at once.', [bash('echo x >> both'), bash('echo x >> both')]),
        scene('twice in a row.', [bash('echo x >> twice')], [bash('echo x >> twice')]),
        { steps: [{ say: 'A title.' }], repeat: true },
      ],
      POLICY,
    )
    await opencode.startServer()
    await opencode.connect()
    plugin = join(opencode.home, '.config/opencode/plugins/banksman.js')
  })
  afterAll(() => opencode?.close())

  it('what the policy allows runs, and is on record', async () => {
    await opencode.say('make allowed.')
    expect(opencode.exists('allowed')).toBe(true)
    const { items } = await opencode.client().history({ verdict: 'allow', limit: 5 })
    expect(items[0]).toMatchObject({
      call: { tool: 'Bash', submittedBy: expect.stringMatching(/^opencode@./) },
    })
  })

  it('what the policy denies does not run, and the model reads why', async () => {
    await opencode.say('make denied.')
    expect(opencode.exists('denied')).toBe(false)
    expect(opencode.told('make denied.')).toContain('is on the deny list')
  })

  it('P3: what a person approves runs, and is reported as done', async () => {
    const done = opencode.say('make approved.')
    const [request] = await opencode.pending()
    expect(request).toMatchObject({ tool: 'Bash', cwd: opencode.project, agent: { name: 'opencode' } })
    expect(opencode.exists('approved')).toBe(false)
    const id = await opencode.decide({ decision: 'approve' })
    await done
    expect(opencode.exists('approved')).toBe(true)
    expect(await opencode.client().get(id)).toMatchObject({ state: 'done', outcome: { kind: 'ok' } })
  })

  it('what a person rejects does not run, and the model reads the reason', async () => {
    const done = opencode.say('make rejected.')
    await opencode.decide({ decision: 'reject', reason: 'use the other folder' })
    await done
    expect(opencode.exists('rejected')).toBe(false)
    expect(opencode.told('make rejected.')).toContain('use the other folder')
  })

  it('P3: what a person edits runs as edited, and the model is told', async () => {
    const done = opencode.say('edit it.')
    await opencode.decide({
      decision: 'edit',
      arguments: { command: 'touch edited', description: 'as asked' },
    })
    await done
    expect([opencode.exists('unedited'), opencode.exists('edited')]).toEqual([false, true])
    expect(opencode.told('edit it.')).toContain('touch edited')
  })

  it('a file that it writes is shown as that, under the names of the catalogue', async () => {
    const done = opencode.say('write it.')
    const [request] = await opencode.pending()
    expect(request).toMatchObject({ tool: 'Write', arguments: { file_path: 'written.txt' } })
    await opencode.decide({ decision: 'approve' })
    await done
    expect(opencode.read('written.txt')).toBe('as approved\n')
  })

  it('two identical calls at once are two requests', async () => {
    const done = opencode.say('both at once.')
    const [first, second] = await opencode.pending(2)
    for (const [request, decision] of [
      [first!, 'approve'],
      [second!, 'reject'],
    ] as const)
      await opencode.client().decide(request.id, { digest: request.digest, decision } as never)
    await done
    expect(opencode.read('both')).toBe('x\n')
  })

  it('P4: the same call twice in a row is asked about twice', async () => {
    const done = opencode.say('twice in a row.')
    const first = await opencode.decide({ decision: 'approve' })
    const second = await opencode.decide({ decision: 'reject' })
    await done
    expect(second).not.toBe(first)
    expect(opencode.read('twice')).toBe('x\n')
  })

  describe('P5: the call does not run', () => {
    const socket = () => join(opencode.place.folder, '.banksman/run/banksman.sock')

    it.each([
      ['status', { status: 500, type: 'application/json', body: '{"decision":"none"}' }],
      ['page', { status: 200, type: 'text/html', body: '<html>Hello</html>' }],
      ['garbage', { status: 200, type: 'application/json', body: '{"decision":' }],
      ['silent', { status: 200, type: 'application/json', body: '' }],
      ['broken', { status: 200, type: 'application/json', body: JSON.stringify(maybe) }],
    ])('when somebody answers nonsense at our address: %s', async (name, answer) => {
      await opencode.server().stop('SIGKILL')
      const other = await standIn({ path: socket() }, answer)
      try {
        await opencode.say(`make ${name}.`)
        expect(opencode.exists(name)).toBe(false)
        expect(opencode.told(`make ${name}.`)).toContain('not allowed')
      } finally {
        await other.close()
        rmSync(socket(), { force: true })
        await opencode.startServer()
      }
    })

    it('when the server is down, and it runs again when the server does', async () => {
      await opencode.server().stop('SIGKILL')
      await opencode.say('make down.')
      expect(opencode.exists('down')).toBe(false)
      expect(opencode.told('make down.')).toContain('banksman start')
      await opencode.startServer()
      await opencode.say('make again.')
      expect(opencode.exists('again')).toBe(true)
    })
  })

  describe('what connect says', () => {
    it('works', async () => {
      const { stdout, code } = await opencode.banksman('connect')
      expect(stdout).toMatch(/^ok {4}opencode: .*every call is checked; last event/m)
      expect(code).toBe(0)
    })

    it('a plugin that can’t be loaded, or was taken away: the call runs, and it is told', async () => {
      const text = readFileSync(plugin, 'utf8')
      writeFileSync(plugin, `throw new Error('broken')\n${text}`)
      await opencode.say('make removed.')
      expect(opencode.exists('removed')).toBe(true)
      const { stdout, code } = await opencode.banksman('connect')
      expect(stdout).toMatch(/FAIL {2}opencode: .*were changed/)
      expect(code).toBe(1)
      rmSync(plugin)
      expect((await opencode.banksman('connect')).stdout).toMatch(
        /FAIL {2}opencode: .*has no hooks of Banksman/,
      )
      writeFileSync(plugin, text)
    })
  })

  it('is disconnected: the plugin is gone, and its calls run', async () => {
    expect(await opencode.banksman('disconnect', 'opencode', '--yes')).toMatchObject({ code: 0 })
    expect(existsSync(plugin)).toBe(false)
    await opencode.say('make after.')
    expect(opencode.exists('after')).toBe(true)
  })
})
