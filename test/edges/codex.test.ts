/** The real Codex behind `banksman connect codex`, on a model that follows a script. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from 'banksman'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  describeAgent,
  type ScriptedCall,
  SUITE_POLICY,
  scene,
  suiteScenes,
} from '../connected/agent-suite.ts'
import { standIn } from '../connected/connected-agent.ts'
import { type ConnectedCodex, openCodex, usersConfiguration } from './programs/connected-codex.ts'

const exec = (cmd: string, more: JsonObject = {}): ScriptedCall => ({
  tool: 'exec_command',
  arguments: { cmd, yield_time_ms: 2000, ...more },
})
const patch = (name: string): ScriptedCall => ({
  tool: 'apply_patch',
  argumentsText: `*** Begin Patch\n*** Add File: ${name}\n+one\n*** End Patch\n`,
})
const OTHERS = ['removed', 'off', 'after', 'token', 'port', 'gone', 'killed', 'changed', 'silent', 'hanging']
const POLL = { timeout: 60_000 }
const POLICY = {
  ...SUITE_POLICY,
  allow: [...SUITE_POLICY.allow, 'Bash(bash *)', 'Bash(banksman *)', 'Bash(npx *)'],
}

/** Code of which each call is one of its own. */
const CODE = `const say = async (cmd) => { try { return JSON.stringify(await tools.exec_command({ cmd })) } catch (error) { return String(error) } }
text(await say('touch allowed-by-code')); text(await say('touch denied-by-code'))`

let codex: ConnectedCodex
beforeAll(async () => {
  codex = await openCodex(
    [
      ...suiteScenes(exec, 'mcp__shop__make', OTHERS),
      scene('wait for it.', [exec('touch waited')], [exec('touch waited')]),
      scene('open a shell.', [exec('bash', { tty: true }), exec('bash -c "touch allowed-shell"')]),
      scene('patch it.', [patch('patched')]),
      scene('patch another.', [patch('unpatched')]),
      scene('run code.', [{ tool: 'exec', argumentsText: CODE }]),
      ...[
        'banksman disconnect codex',
        'npx -y banksman trust',
        'codex exec --yolo x',
        'claude --dangerously-skip-permissions',
      ].map((line) => scene(`run ${line}.`, [exec(`touch before && ${line}`)])),
      { steps: [{ say: 'Here.' }], repeat: true },
    ],
    POLICY,
  )
  await codex.startServer()
  await codex.connect()
})
afterAll(() => codex?.close())

/** Until the test is over. */
async function withFile(
  path: string,
  change: (text: string) => string,
  test: () => Promise<void>,
): Promise<void> {
  const before = readFileSync(path, 'utf8')
  writeFileSync(path, change(before))
  await test().finally(() => writeFileSync(path, before))
}
const own = (name: string) => join(codex.home, '.codex', name)
const socket = () => ({ path: join(codex.place.folder, '.banksman/run/banksman.sock') })

describeAgent('codex', () => codex, socket, 'mcp__shop__make')

it('P3: a patch that a person approves is made, and another one as edited', async () => {
  const made = codex.say('gpt-5.5: patch it.')
  await codex.decide({ decision: 'approve' })
  await made
  expect(codex.read('patched')).toBe('one\n')
  const edited = codex.say('gpt-5.5: patch another.')
  const text = '*** Begin Patch\n*** Add File: repatched\n+two\n*** End Patch\n'
  await codex.decide({ decision: 'edit', arguments: { command: text } })
  await edited
  expect([codex.exists('unpatched'), codex.read('repatched')]).toEqual([false, 'two\n'])
})

it('calls that its model makes by code are each checked', async () => {
  await codex.say('gpt-5.6-sol: run code.')
  expect([codex.exists('allowed-by-code'), codex.exists('denied-by-code')]).toEqual([true, false])
  expect(codex.told('run code.')).toContain('is on the deny list')
})

it('a call that nobody answered in time is told to wait, and goes on with the same request when it comes again', async () => {
  const short = (text: string) => text.replace("/v1/hooks/codex'", "/v1/hooks/codex?hold=1s'")
  await withFile(codex.script, short, async () => {
    const done = codex.say('wait for it.')
    await expect.poll(() => codex.told('wait for it.'), POLL).toContain('same arguments')
    await codex.decide({ decision: 'approve' })
    await done
    expect(codex.exists('waited')).toBe(true)
    expect((await codex.client().list({ state: 'pending' })).items).toEqual([])
  })
})

it('P5: a shell that Codex would type into is denied although the policy allows it, and one that ends is not', async () => {
  await codex.say('open a shell.')
  expect(codex.told('open a shell.')).toContain('waits for what is typed into it')
  expect(codex.exists('allowed-shell')).toBe(true)
})

describe('P5: the call does not run', () => {
  const limited = (text: string) => text.replace(/limit=\d+/, 'limit=1')
  const json = 'application/json'
  it('when somebody else at our socket is silent', async () => {
    await codex.server().stop('SIGKILL')
    const other = await standIn(socket(), undefined)
    try {
      await withFile(codex.script, limited, async () => void (await codex.say('make silent.')))
      expect(codex.exists('silent')).toBe(false)
      expect(codex.told('make silent.')).toContain('Banksman: not allowed')
    } finally {
      await other.close()
      await codex.startServer()
    }
  })

  it('when somebody else answers yes at the port: the hook goes to the socket', async () => {
    const { port } = new URL(codex.server().url)
    await codex.server().stop('SIGKILL')
    const other = await standIn({ port: Number(port) }, { status: 200, type: json, body: '{}' })
    try {
      await codex.say('make port.')
      expect(codex.exists('port')).toBe(false)
    } finally {
      await other.close()
      await codex.startServer()
    }
  })

  it('when the server hangs', async () => {
    codex.server().process.kill('SIGSTOP')
    try {
      await withFile(codex.script, limited, async () => void (await codex.say('make hanging.')))
    } finally {
      codex.server().process.kill('SIGCONT')
    }
    expect(codex.exists('hanging')).toBe(false)
  })

  it('when the script is gone, and when somebody kills it', async () => {
    const aside = `${codex.script}.aside`
    renameSync(codex.script, aside)
    await codex.say('make gone.')
    writeFileSync(codex.script, "sh -c 'kill -9 $PPID'\ntrue\n")
    chmodSync(codex.script, 0o700)
    await codex.say('make killed.')
    renameSync(aside, codex.script)
    expect([codex.exists('gone'), codex.exists('killed')]).toEqual([false, false])
    expect(codex.told('make gone.')).toContain('its hook could not be run')
  })

  it('when its token was revoked', async () => {
    const { items } = await codex.client().tokens.list()
    const token = items.find(({ scope, revokedAt }) => scope === 'hooks:codex' && revokedAt === undefined)!
    await codex.client().tokens.revoke(token.id)
    await codex.say('make token.')
    expect(codex.exists('token')).toBe(false)
    expect((await codex.banksman('connect')).stdout).toMatch(/FAIL.*token/)
    await codex.connect()
  })
})

describe('what connect and doctor say', () => {
  const said = async () => {
    const { stdout, code } = await codex.banksman('connect')
    return { stdout, code, doctor: (await codex.banksman('doctor')).stdout }
  }

  it('a hook that was taken out: the call runs, and it is told', async () => {
    await withFile(
      own('hooks.json'),
      () => '{}\n',
      async () => {
        await codex.say('make removed.')
        expect(codex.exists('removed')).toBe(true)
        const { stdout, code, doctor } = await said()
        expect(stdout).toMatch(/FAIL {2}Codex: .*has no hooks of Banksman any longer/)
        expect(code).toBe(1)
        expect(doctor).toMatch(/FAIL {2}Codex/)
      },
    )
  })

  it('a time limit that was changed by a second: Codex passes over the hook, and it is told', async () => {
    await withFile(
      own('hooks.json'),
      (text) => text.replace('600', '601'),
      async () => {
        await codex.say('make changed.')
        expect(codex.exists('changed')).toBe(true)
        const { stdout } = await said()
        expect(stdout).toMatch(/FAIL {2}Codex: .*were changed/)
        expect(stdout).toMatch(/FAIL {2}Codex: .*doesn't trust the hooks/)
      },
    )
  })

  it('a project that switches hooks off: the call runs, and it is told', async () => {
    const off = (folder: string) => {
      mkdirSync(join(folder, '.codex'))
      writeFileSync(join(folder, '.codex', 'config.toml'), '[features]\nhooks = false\n')
    }
    const trusted = [codex.project, codex.place.folder].map(
      (path) => `\n[projects.${JSON.stringify(path)}]\ntrust_level = "trusted"\n`,
    )
    off(codex.project)
    // The commands look at the folder that they are run in.
    off(codex.place.folder)
    await withFile(
      own('config.toml'),
      (text) => text + trusted.join(''),
      async () => {
        await codex.say('make off.')
        expect(codex.exists('off')).toBe(true)
        const { stdout } = await said()
        expect(stdout).toMatch(/FAIL {2}Codex: .*switches hooks off/)
        // Codex lists none of them then. That is no second fault.
        expect(stdout).not.toContain('is not on its list')
        // What must never pass is forbidden by rules of Codex all the same.
        for (const line of [
          'banksman disconnect codex',
          'npx -y banksman trust',
          'codex exec --yolo x',
          'claude --dangerously-skip-permissions',
        ]) {
          await codex.say(`run ${line}.`)
          expect(codex.told(`run ${line}.`)).toContain('rejected: Banksman: ')
        }
        expect(codex.exists('before')).toBe(false)
      },
    )
    for (const folder of [codex.project, codex.place.folder])
      rmSync(join(folder, '.codex'), { recursive: true })
  })
})

it('is disconnected: its files are as before to the byte, and its calls run', async () => {
  expect(await codex.banksman('disconnect', 'codex', '--yes')).toMatchObject({ code: 0 })
  expect(codex.file('config.toml')).toBe(usersConfiguration(codex.model.baseUrl))
  expect(codex.file('hooks.json')).toBeUndefined()
  expect(codex.file('rules/banksman.rules')).toBeUndefined()
  await codex.say('make after.')
  expect(codex.exists('after')).toBe(true)
  const { items } = await codex.client().tokens.list()
  expect(items.filter(({ scope, revokedAt }) => scope !== undefined && revokedAt === undefined)).toEqual([])
})
