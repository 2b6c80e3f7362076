/**
 * The real Claude Code behind `banksman connect claude-code`, on a model that follows a script. Both ways that its hooks can go are tried: events
 * that it sends itself, and the script, which versions before 2.1.295 need.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  describeAgent,
  type ScriptedCall,
  SUITE_POLICY,
  scene,
  suiteScenes,
} from '../connected/agent-suite.ts'
import { standIn } from '../connected/connected-agent.ts'
import { type ConnectedClaudeCode, openClaudeCode, USERS_SETTINGS } from './connected-claude-code.ts'

const bash = (command: string): ScriptedCall => ({
  tool: 'Bash',
  arguments: { command, description: 'as asked' },
})
const OTHERS = ['removed', 'off', 'after', 'token', 'believed', 'hanging']
const POLL = { timeout: 60_000 }

describe.each(['http', 'script'] as const)('Claude Code, connected by %s', (way) => {
  let claude: ConnectedClaudeCode

  beforeAll(async () => {
    claude = await openClaudeCode(
      [
        ...suiteScenes(bash, OTHERS),
        scene('wait for it.', [bash('touch waited')], [bash('touch waited')]),
        { steps: [{ say: 'Here.' }], repeat: true },
      ],
      SUITE_POLICY,
      way === 'script' ? ['--script'] : [],
    )
    await claude.startServer()
    await claude.connect()
  })
  afterAll(() => claude?.close())

  /** Until the test is over. */
  async function withSettings(change: (text: string) => string, test: () => Promise<void>): Promise<void> {
    const before = claude.readSettings()
    claude.changeSettings(change)
    await test().finally(() => claude.changeSettings(() => before))
  }
  /** Changes what the gate's entry says. */
  const gate = (change: (entry: Record<string, unknown>) => void) => (text: string) => {
    const settings = JSON.parse(text)
    change(settings.hooks.PreToolUse.at(-1).hooks[0])
    return JSON.stringify(settings)
  }
  /** As if the agent gave its hook this many seconds. */
  const limited = (seconds: number) =>
    gate((entry) => {
      entry.timeout = seconds
    })

  describeAgent(
    'claude-code',
    () => claude,
    () => addressOf(),
    // Over HTTP it takes an empty answer for no objection. Our server gives none.
    way === 'http' ? ['empty'] : [],
  )

  // The script waits as long as it was written for.
  it.runIf(way === 'http')(
    'a call that nobody answered in time is told to wait, and goes on with the same request when it comes again',
    async () => {
      const short = gate((entry) => {
        entry.url += '?hold=1s'
      })
      await withSettings(short, async () => {
        const done = claude.say('wait for it.')
        await expect.poll(() => claude.told('wait for it.'), POLL).toContain('same arguments')
        await claude.decide({ decision: 'approve' })
        await done
        expect(claude.exists('waited')).toBe(true)
        expect((await claude.client().list({ state: 'pending' })).items).toEqual([])
      })
    },
  )

  describe('P5: the call does not run', () => {
    it(`${way === 'http' ? 'but it does' : ''} when somebody else answers yes at the port`, async () => {
      const { port } = new URL(claude.server().url)
      await claude.server().stop('SIGKILL')
      const yes = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } }
      const other = await standIn(
        { port: Number(port) },
        { status: 200, type: 'application/json', body: JSON.stringify(yes) },
      )
      try {
        await claude.say('make believed.')
        // Whoever listens on the port is believed by http: `connect` says so. The socket is in a folder that nobody else can enter.
        expect(claude.exists('believed')).toBe(way === 'http')
      } finally {
        await other.close()
        await claude.startServer()
      }
    })

    it.runIf(way === 'http')('when the server hangs', async () => {
      await withSettings(limited(2), async () => {
        claude.server().process.kill('SIGSTOP')
        try {
          await claude.say('make hanging.')
        } finally {
          claude.server().process.kill('SIGCONT')
        }
        expect(claude.exists('hanging')).toBe(false)
      })
    })

    it('when its token was revoked', async () => {
      const { items } = await claude.client().tokens.list()
      const token = items.find(
        ({ scope, revokedAt }) => scope === 'hooks:claude-code' && revokedAt === undefined,
      )!
      await claude.client().tokens.revoke(token.id)
      await claude.say('make token.')
      expect(claude.exists('token')).toBe(false)
      expect((await claude.banksman('connect')).stdout).toMatch(/FAIL.*token/)
      await claude.connect()
    })
  })

  const addressOf = () => {
    const { port } = new URL(claude.server().url)
    return way === 'http'
      ? { port: Number(port) }
      : { path: join(claude.place.folder, '.banksman/run/banksman.sock') }
  }

  describe('what connect and doctor say', () => {
    it('works', async () => {
      const { stdout, code } = await claude.banksman('connect')
      expect(stdout).toMatch(/^ok {4}Claude Code: .*every call is checked; last event/m)
      expect(stdout).toMatch(/other hooks see its calls too: true/)
      expect(code).toBe(0)
      expect((await claude.banksman('doctor')).stdout).toMatch(/ok {4}Claude Code/)
    })

    it('a hook that was taken out: the call runs, and it is told', async () => {
      await withSettings(
        () => USERS_SETTINGS,
        async () => {
          await claude.say('make removed.')
          expect(claude.exists('removed')).toBe(true)
          const { stdout, code } = await claude.banksman('connect')
          expect(stdout).toMatch(/FAIL {2}Claude Code: .*has no hooks of Banksman any longer/)
          expect(code).toBe(1)
          expect((await claude.banksman('doctor')).stdout).toMatch(/FAIL {2}Claude Code/)
        },
      )
    })

    it('a time limit that was changed', async () => {
      await withSettings(limited(30), async () => {
        expect((await claude.banksman('connect')).stdout).toMatch(/FAIL {2}Claude Code: .*were changed/)
      })
    })

    it('a project that switches hooks off: the call runs, and it is told', async () => {
      const file = join(claude.project, '.claude', 'settings.local.json')
      mkdirSync(join(claude.project, '.claude'))
      writeFileSync(file, '{ "disableAllHooks": true }')
      await claude.say('make off.')
      expect(claude.exists('off')).toBe(true)
      // The commands look at the folder that they are run in.
      mkdirSync(join(claude.place.folder, '.claude'), { recursive: true })
      writeFileSync(
        join(claude.place.folder, '.claude', 'settings.local.json'),
        '{ "disableAllHooks": true }',
      )
      expect((await claude.banksman('connect')).stdout).toMatch(/FAIL {2}Claude Code: .*switches hooks off/)
      rmSync(join(claude.place.folder, '.claude'), { recursive: true })
      rmSync(join(claude.project, '.claude'), { recursive: true })
    })
  })

  it('is disconnected: the settings are as before to the byte, and its calls run', async () => {
    expect(await claude.banksman('disconnect', 'claude-code', '--yes')).toMatchObject({ code: 0 })
    expect(claude.readSettings()).toBe(USERS_SETTINGS)
    await claude.say('make after.')
    expect(claude.exists('after')).toBe(true)
    const { items } = await claude.client().tokens.list()
    expect(items.filter(({ scope, revokedAt }) => scope !== undefined && revokedAt === undefined)).toEqual([])
  })
})
