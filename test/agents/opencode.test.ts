/** The real opencode behind `banksman connect opencode`, on a model that follows a script. Its own rules allow every command. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  describeAgent,
  type ScriptedCall,
  SUITE_POLICY,
  scene,
  suiteScenes,
} from '../connected/agent-suite.ts'
import { type ConnectedAgent, standIn } from '../connected/connected-agent.ts'
import { hasOpencode, openOpencode } from './connected-opencode.ts'

const bash = (command: string): ScriptedCall => ({
  tool: 'bash',
  arguments: { command, description: 'as asked' },
})

/** What it asks a model for by itself. */
const title = { steps: [{ say: 'A title.' }], repeat: true as const }

/** Every file of its settings. */
function settingsIn({ home }: ConnectedAgent): Map<string, string> {
  const folder = join(home, '.config/opencode')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  return new Map(paths.map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]))
}

function changedSince(before: Map<string, string>, after: Map<string, string>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names.filter((name) => before.get(name) !== after.get(name)).sort()
}

async function freePort(): Promise<number> {
  const other = await standIn({ port: 0 }, undefined)
  await other.close()
  return Number(new URL(other.url).port)
}

describe.skipIf(!hasOpencode)('opencode', () => {
  let opencode: ConnectedAgent
  let plugin: string
  /** Its folder before us. */
  let before: Map<string, string>

  beforeAll(async () => {
    opencode = await openOpencode(
      [
        ...suiteScenes(bash, 'shop_make', [
          'maybe',
          'removed',
          'after',
          'hanging',
          'silent',
          'patient',
          'aborted',
          'allowed-meanwhile',
          'port',
          'gone',
        ]),
        scene('wait for it.', [bash('touch waited')]),
        scene('write it.', [
          { tool: 'write', arguments: { filePath: 'written.txt', content: 'as approved\n' } },
        ]),
        title,
      ],
      SUITE_POLICY,
    )
    await opencode.startServer()
    before = settingsIn(opencode)
    await opencode.connect()
    plugin = join(opencode.home, '.config/opencode/plugins/banksman.js')
  })
  afterAll(() => opencode?.close())

  /** Until the test is over. */
  async function withPlugin(change: (text: string) => string, test: () => Promise<void>): Promise<void> {
    const before = readFileSync(plugin, 'utf8')
    expect(change(before)).not.toBe(before)
    writeFileSync(plugin, change(before))
    await test().finally(() => writeFileSync(plugin, before))
  }

  const socket = () => ({ path: join(opencode.place.folder, '.banksman/run/banksman.sock') })
  describeAgent('opencode', () => opencode, socket, 'opencode__shop_make')

  it('a file that it writes is shown as that, under the names of the catalogue', async () => {
    const done = opencode.say('write it.')
    const [request] = await opencode.pending()
    expect(request).toMatchObject({ tool: 'Write', arguments: { file_path: 'written.txt' } })
    await opencode.decide({ decision: 'approve' })
    await done
    expect(opencode.read('written.txt')).toBe('as approved\n')
  })

  it('a call waits as long as it takes: longer than a minute', async () => {
    const done = opencode.say('make patient.')
    await opencode.pending()
    const since = Date.now()
    await expect.poll(() => Date.now() - since, { timeout: 80_000, interval: 1000 }).toBeGreaterThan(65_000)
    expect(await opencode.pending()).toMatchObject([{ arguments: { command: 'touch patient' } }])
    await opencode.decide({ decision: 'approve' })
    await done
    expect(opencode.exists('patient')).toBe(true)
  })

  it('a call that nobody answered in time is asked about again by the plugin, and the model is told nothing', async () => {
    const rounds = join(opencode.place.folder, 'rounds')
    const counted = (text: string) =>
      text
        .replace('/v1/hooks/opencode"', '/v1/hooks/opencode?hold=1s"')
        .replace('import { readFileSync }', 'import { appendFileSync, readFileSync }')
        .replace('const answer = await send(', `appendFileSync(${JSON.stringify(rounds)}, 'x'); $&`)
    await withPlugin(counted, async () => {
      const done = opencode.say('wait for it.')
      const [request] = await opencode.pending()
      await expect.poll(() => readFileSync(rounds, 'utf8').length, { timeout: 60_000 }).toBeGreaterThan(2)
      expect(await opencode.decide({ decision: 'approve' })).toBe(request!.id)
      await done
      expect(opencode.exists('waited')).toBe(true)
      expect(opencode.told('wait for it.')).not.toContain('same arguments')
    })
  })

  it('P5: a call of a session that was aborted while it waited does not run, though it is approved later', async () => {
    const port = await freePort()
    const server = opencode.start('serve', '--port', `${port}`)
    try {
      await new Promise<void>((resolve) => {
        server.stdout?.setEncoding('utf8').on('data', (text: string) => {
          if (text.includes(`:${port}`)) resolve()
        })
      })
      const post = (path: string, body: object = {}) =>
        fetch(`http://127.0.0.1:${port}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      const say = (text: string) => post(`/session/${id}/message`, { parts: [{ type: 'text', text }] })
      const { id } = (await (await post('/session')).json()) as { id: string }
      const done = say('make aborted.')
      await opencode.pending()
      expect((await post(`/session/${id}/abort`)).status).toBe(200)
      await done
      await opencode.decide({ decision: 'approve' })
      await say('make allowed-meanwhile.')
      expect([opencode.exists('aborted'), opencode.exists('allowed-meanwhile')]).toEqual([false, true])
    } finally {
      server.kill()
    }
  })

  describe('P5: the call does not run', () => {
    const limited = (text: string) => text.replace('send(event, 600000, ', 'send(event, 2000, ')

    it('when the server hangs', async () => {
      await withPlugin(limited, async () => {
        opencode.server().process.kill('SIGSTOP')
        try {
          await opencode.say('make hanging.')
        } finally {
          opencode.server().process.kill('SIGCONT')
        }
        expect(opencode.exists('hanging')).toBe(false)
        expect(opencode.told('make hanging.')).toContain('the server did not answer in time')
      })
    })

    it('when somebody else answers yes at the port: the plugin goes to the socket', async () => {
      const { port } = new URL(opencode.server().url)
      await opencode.server().stop('SIGKILL')
      const body = JSON.stringify({ decision: 'none' })
      const other = await standIn({ port: Number(port) }, { status: 200, type: 'application/json', body })
      try {
        await opencode.say('make port.')
        expect(opencode.exists('port')).toBe(false)
      } finally {
        await other.close()
        await opencode.startServer()
      }
    })

    it('when somebody else at our socket is silent', async () => {
      await opencode.server().stop('SIGKILL')
      const other = await standIn(socket(), undefined)
      try {
        await withPlugin(limited, async () => void (await opencode.say('make silent.')))
        expect(opencode.exists('silent')).toBe(false)
      } finally {
        await other.close()
        await opencode.startServer()
      }
    })
  })

  it('P5: an answer that is neither yes nor no is a no', async () => {
    await opencode.server().stop('SIGKILL')
    const body = JSON.stringify({ decision: 'maybe' })
    const other = await standIn(socket(), { status: 200, type: 'application/json', body })
    try {
      await opencode.say('make maybe.')
      expect(opencode.exists('maybe')).toBe(false)
      expect(opencode.told('make maybe.')).toContain('not allowed')
    } finally {
      await other.close()
      await opencode.startServer()
    }
  })

  describe('what connect says', () => {
    it('a plugin that can’t be loaded, or was taken away: the call runs, and it is told', async () => {
      const text = readFileSync(plugin, 'utf8')
      writeFileSync(plugin, `throw new Error('broken')\n${text}`)
      await opencode.say('make removed.')
      expect(opencode.exists('removed')).toBe(true)
      const { stdout, code } = await opencode.banksman('connect')
      expect(stdout).toMatch(/FAIL {2}opencode: .*were changed/)
      expect(code).toBe(1)
      rmSync(plugin)
      await opencode.say('make gone.')
      expect(opencode.exists('gone')).toBe(true)
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

    // What opencode itself writes into its folder, it writes there without us too.
    const control = await openOpencode([scene('make after.', [bash('touch after')]), title], {})
    try {
      const untouched = settingsIn(control)
      await control.say('make after.')
      expect(changedSince(before, settingsIn(opencode))).toEqual(changedSince(untouched, settingsIn(control)))
    } finally {
      await control.close()
    }
  })

  it('tells a plugin the id of a call, before it and after it', async () => {
    const other = await openOpencode([scene('make both.', [bash('touch one'), bash('touch two')]), title], {})
    try {
      const told = join(other.place.folder, 'told.jsonl')
      const folder = join(other.home, '.config/opencode/plugins')
      mkdirSync(folder, { recursive: true })
      const note = `async ({ callID }) => appendFileSync(${JSON.stringify(told)}, JSON.stringify(callID) + '\\n')`
      writeFileSync(
        join(folder, 'spy.js'),
        `import { appendFileSync } from 'node:fs'\nexport const Spy = async () => ({ 'tool.execute.before': ${note}, 'tool.execute.after': ${note} })\n`,
      )
      await other.say('make both.')
      const ids = readFileSync(told, 'utf8').trim().split('\n')
      expect(ids).toHaveLength(4)
      expect(new Set(ids).size).toBe(2)
      expect(ids.every((id) => /^".+"$/.test(id))).toBe(true)
    } finally {
      await other.close()
    }
  })
})
