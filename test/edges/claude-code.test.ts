/**
 * The real Claude Code behind `banksman connect claude-code`, on a model that follows a script. Both ways that its hooks can go are tried: events
 * that it sends itself, and the script, which `connect` takes by itself for versions before 2.1.295.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
import { type ConnectedClaudeCode, openClaudeCode, USERS_SETTINGS } from './programs/connected-claude-code.ts'

const bash = (command: string): ScriptedCall => ({
  tool: 'Bash',
  arguments: { command, description: 'as asked' },
})
const OTHERS = ['removed', 'off', 'after', 'token', 'believed', 'hanging', 'gone', 'killed']
const POLL = { timeout: 60_000 }

describe.each([
  { version: '2.1.325', way: 'http', options: [] },
  { version: '2.1.325', way: 'script', options: ['--script'] },
  { version: '2.1.197', way: 'script', options: [] },
] as const)('Claude Code $version, connected by $way', ({ version, way, options }) => {
  let claude: ConnectedClaudeCode

  beforeAll(async () => {
    claude = await openClaudeCode(
      [
        ...suiteScenes(bash, 'mcp__shop__make', OTHERS),
        scene('wait for it.', [bash('touch waited')], [bash('touch waited')]),
        { steps: [{ say: 'Here.' }], repeat: true },
      ],
      SUITE_POLICY,
      { version, options },
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
  const scriptFile = () => join(claude.home, 'hooks', 'claude-code')
  /** Until the test is over, the server waits for a person for a second (`hold`), or the hook for the server (`limit`). */
  async function withShort(what: 'hold' | 'limit', test: () => Promise<void>): Promise<void> {
    const held = gate((entry) => {
      entry.url += '?hold=1s'
    })
    if (way === 'http') return withSettings(what === 'hold' ? held : limited(2), test)
    const script = scriptFile()
    const before = readFileSync(script, 'utf8')
    const [from, to] =
      what === 'hold'
        ? ["/v1/hooks/claude-code'", "/v1/hooks/claude-code?hold=1s'"]
        : ['limit=595', 'limit=2']
    expect(before).toContain(from)
    writeFileSync(script, before.replace(from, to))
    await test().finally(() => writeFileSync(script, before))
  }

  describeAgent(
    'claude-code',
    () => claude,
    () => addressOf(),
    'mcp__shop__make',
    // Over HTTP it takes an empty answer for no objection. Our server gives none.
    way === 'http' ? ['empty'] : [],
  )

  it('a call that nobody answered in time is told to wait, and goes on with the same request when it comes again', async () => {
    await withShort('hold', async () => {
      const done = claude.say('wait for it.')
      await expect.poll(() => claude.told('wait for it.'), POLL).toContain('same arguments')
      await claude.decide({ decision: 'approve' })
      await done
      expect(claude.exists('waited')).toBe(true)
      expect((await claude.client().list({ state: 'pending' })).items).toEqual([])
    })
  })

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

    it('when the server hangs', async () => {
      await withShort('limit', async () => {
        claude.server().process.kill('SIGSTOP')
        try {
          await claude.say('make hanging.')
        } finally {
          claude.server().process.kill('SIGCONT')
        }
        expect(claude.exists('hanging')).toBe(false)
      })
    })

    it.runIf(way === 'script')('when the script is gone, and when somebody kills it', async () => {
      const text = readFileSync(scriptFile(), 'utf8')
      rmSync(scriptFile())
      await claude.say('make gone.')
      writeFileSync(scriptFile(), "sh -c 'kill -9 $PPID'\ntrue\n", { mode: 0o700 })
      await claude.say('make killed.')
      writeFileSync(scriptFile(), text)
      expect([claude.exists('gone'), claude.exists('killed')]).toEqual([false, false])
      expect(claude.told('make gone.')).toContain('its hook could not be run')
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
