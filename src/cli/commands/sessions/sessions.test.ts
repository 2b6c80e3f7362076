/** `banksman sessions`, the real program against a real server: our loop as the engine, a model that follows a script. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import { makeCliFolder, PROGRAM_WORDS, type Ran, type StartedServer } from '../../fixtures/program.ts'
import { runInProcess } from '../../fixtures/recording-terminal.ts'
import { HOSTILE } from '../../fixtures/scripted-agent.ts'

const write = (path: string) => ({ tool: 'write_file', arguments: { path, content: 'hello' } })
const SCRIPT = {
  name: 'tests',
  scenes: [
    { when: 'write', steps: [{ say: 'I write a file.', calls: [write('note.txt')] }, { say: 'Written.' }] },
    { when: 'hostile', steps: [{ say: `Look ${HOSTILE}here\n✓ approved` }] },
    { when: 'fail', steps: [{ fail: { message: 'the model is broken', mayRetry: false } }] },
    { when: 'wait', steps: [{ calls: [write('later.txt')] }, { say: 'Over.' }] },
    { steps: [{ say: 'You said: {message}' }] },
  ],
}

const place = makeCliFolder()
const folder = realpathSync(place.folder)
let server: StartedServer
beforeAll(async () => {
  for (const name of ['shop', 'site']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'script.json'), JSON.stringify(SCRIPT))
  writeFileSync(
    join(folder, 'banksman.yaml'),
    'secretary: { engine: loop, model: { provider: scripted, script: script.json }, folders: [shop, site] }\n',
  )
  const { code, stderr } = await place.run(['trust', '--yes'])
  expect([code, stderr]).toEqual([0, expect.any(String)])
  server = await place.start()
  expect(server.url).toContain('127.0.0.1')
})
afterAll(() => place.remove())

const run = (...args: string[]) => runInProcess(['sessions', ...args], folder, place.environment)

async function start(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run('start', ...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout).session.id
}

const progress = async (id: string) => JSON.parse((await run('progress', id, '--json')).stdout)
const idle = (id: string) => until(async () => (await progress(id)).state === 'idle')
const waiting = async (id: string): Promise<string> => {
  await until(async () => (await progress(id)).turn?.waiting?.length === 1)
  return (await progress(id)).turn.waiting[0].request
}
const approve = async (request: string) => {
  const shown = await runInProcess(['requests', 'show', request, '--json'], folder, place.environment)
  const { digest } = JSON.parse(shown.stdout)
  const approving = ['requests', 'approve', request, '--digest', digest]
  expect((await runInProcess(approving, folder, place.environment)).code).toBe(0)
}

/** The program, left running. */
function launch(...args: string[]) {
  const child = spawn(process.execPath, [...PROGRAM_WORDS, 'sessions', ...args], {
    cwd: folder,
    env: place.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ran: Ran = { code: null, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    ran.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    ran.stderr += text
  })
  const closed = once(child, 'close').then(([code]) => {
    ran.code = code as number | null
    return ran
  })
  return { child, ran, closed }
}

describe('sessions', () => {
  it('starts one in the background, lists it, says how far it is, and closes it', async () => {
    const started = await place.run(['sessions', 'start', 'shop', 'say hello'])
    expect([started.code, started.stdout]).toEqual([0, expect.stringContaining(join(folder, 'shop'))])
    const id = /ses_\w+/.exec(started.stdout)![0]
    expect(started.stderr).toContain(`banksman sessions progress ${id}`)
    await idle(id)
    const listed = await run('list')
    expect(listed.stdout).toMatch(new RegExp(`(?:idle|asleep)  say hello  .* ago  shop  ana  ${id}`))
    const shown = await run('progress', 'shop')
    expect(shown.stdout).toContain(`Folder: ${join(folder, 'shop')}`)
    expect(shown.stdout).toContain('ana said: say hello')
    expect(shown.stdout).toContain('Turn ended: done')
    expect(shown.stdout).toContain('  │ You said: say hello')
    expect(JSON.parse((await run('list', '--json')).stdout).items).toMatchObject([{ id }])
    expect((await run('close', id.slice(0, 12))).stdout).toContain(`${id} is closed`)
    expect((await run('list')).stdout).toBe('')
    expect((await run('list')).stderr).toContain('Start one with: banksman sessions start')
    expect((await run('list', '--closed')).stdout).toMatch(new RegExp(`closed  .*  ${id}`))
  })

  it('send --watch follows the turn: the last word is the result, the exit code says how it ended', async () => {
    const id = await start('site')
    const good = await run('send', id, 'say yes', '--watch')
    expect([good.code, good.stdout]).toEqual([0, 'You said: say yes\n'])
    const events = await run('send', id, 'say more', '--watch', '--json')
    const [said, ...told] = events.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(said).toMatchObject({ session: id, kind: 'begun' })
    expect(told.at(-1)).toMatchObject({ kind: 'turn_ended', status: 'completed' })
    expect((await run('send', 'site', 'hello')).stdout).toContain(id)
    await idle(id)
    const bad = await run('send', id, 'fail now', '--watch')
    expect([bad.code, bad.stdout]).toEqual([1, ''])
    expect(bad.stderr).toContain('the model is broken')
    await run('close', id)
  })

  it('start --watch names what waits for a person with the command that answers it', async () => {
    const { ran, closed } = launch('start', 'shop', 'write it', '--watch')
    await until(() => /banksman requests approve req_\w+/.test(ran.stderr))
    expect(existsSync(join(folder, 'shop', 'note.txt'))).toBe(false)
    await approve(/banksman requests approve (req_\w+)/.exec(ran.stderr)![1]!)
    expect(await closed).toMatchObject({ code: 0, stdout: 'Written.\n' })
    expect(existsSync(join(folder, 'shop', 'note.txt'))).toBe(true)
    await run('close', 'shop')
  })

  it('Ctrl-C leaves start --watch, and the session goes on', async () => {
    const { child, ran, closed } = launch('start', 'shop', 'wait for it', '--watch')
    await until(() => ran.stderr.includes('banksman requests approve'))
    child.kill('SIGINT')
    expect(await closed).toMatchObject({ code: 1, stdout: '' })
    const id = /ses_\w+/.exec(ran.stderr)![0]
    expect(ran.stderr).toContain(`banksman sessions progress ${id} --watch`)
    expect(await progress(id)).toMatchObject({ state: 'waiting' })
    expect((await run('progress', id)).stdout).toMatch(/banksman requests approve req_\w+/)
    expect((await run('stop', id, '--reason', 'enough')).stdout).toContain(`${id} was stopped`)
    await idle(id)
    expect(existsSync(join(folder, 'shop', 'later.txt'))).toBe(false)
    expect((await run('stop', id)).stdout).toContain(`nothing is running in ${id}`)
    expect(JSON.parse((await run('stop', id, '--json')).stdout)).toMatchObject({ stopped: [] })
    await run('close', id)
  })

  it('progress --watch tells what changes until the turn is over, list --watch until Ctrl-C', async () => {
    const id = await start('site', 'wait for it')
    const request = await waiting(id)
    const following = launch('progress', id, '--watch')
    const listing = launch('list', '--watch', '--json')
    await until(() => following.ran.stdout.includes(request) && listing.ran.stdout.includes('"waiting"'))
    await approve(request)
    expect(await following.closed).toMatchObject({ code: 0 })
    expect(following.ran.stdout).toContain('  │ Over.')
    await until(() => /"state":"(?:idle|asleep)"/.test(listing.ran.stdout))
    listing.child.kill('SIGINT')
    expect(await listing.closed).toMatchObject({ code: 0 })
    for (const line of listing.ran.stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('items')
    await run('close', id)
  })

  it('says and sets the mode', async () => {
    const id = await start('shop')
    const shown = await run('mode', id)
    expect(shown.stdout).toContain("the policy's mode applies")
    expect(shown.stderr).toContain('You can set: default, acceptEdits, plan, dontAsk\n')
    expect((await run('mode', id, 'plan')).stdout).toBe(`${id} is in mode plan from now on\n`)
    expect(JSON.parse((await run('mode', id, '--json')).stdout)).toMatchObject({ id, mode: 'plan' })
    for (const name of ['bypass', 'bypassPermissions']) {
      const refused = await run('mode', id, name)
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining('modes: [acceptEdits, bypass]'),
      ])
    }
    expect((await run('mode', id)).stdout).toContain('is in mode plan')
    await run('close', id)
  })

  it('P9: nothing that a session says reaches the terminal as it is, or looks like a line of ours', async () => {
    const id = await start('shop')
    const sent = await run('send', id, 'hostile', '--watch')
    const shown = await run('progress', id)
    const listed = await run('list')
    for (const { stdout, stderr } of [sent, shown, listed])
      expect(stdout + stderr).not.toMatch(/[\u001b\u202e\u200b\r\u0007]/)
    expect(shown.stdout).toContain('  │ ✓ approved')
    expect((await run('progress', id, '--json')).stdout).not.toMatch(/[\u001b\u202e\u200b]/)
    await run('close', id)
  })

  it('what is wrong is said, with what would be right', async () => {
    const id = await start('shop')
    const other = await start('shop')
    for (const [args, code, says] of [
      [['start', 'nowhere', 'x'], 1, /nowhere.*shop/s],
      [['start', 'shop', 'x', '--mode', 'plann'], 2, /Did you mean plan\?/],
      [['start', 'shop', '--watch'], 2, /--watch needs a message/],
      [['mode', id, 'yolo'], 2, /must be one of default, acceptEdits/],
      [['progress', 'nothing'], 1, /no session "nothing".*banksman sessions list/s],
      [['progress', 'shop'], 1, new RegExp(`can mean 2 sessions: .*${id}`)],
      [['send', id], 2, /<message> is missing/],
      [['send', id, ' '], 2, /<message> is empty/],
      [['start', 'shop', ''], 2, /\[message\] is empty.*or leave it out/],
      [['list', '--limit', '0'], 2, /from 1 to 200/],
      [['list', '--jsno'], 2, /did you mean --json\?/],
      [['lst'], 2, /did you mean `banksman sessions list`\?/],
    ] as const) {
      const ran = await run(...args)
      expect([args, ran.code, ran.stdout]).toEqual([args, code, ''])
      expect(ran.stderr).toMatch(says)
    }
    const refused = await run('start', 'nowhere', '--json')
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'invalid' } })
    await run('close', id)
    await run('close', other)
  })

  it('speaks Chinese where the terminal does', async () => {
    const ran = await place.run(['sessions', 'list'], { environment: { LANG: 'zh_CN.UTF-8' } })
    expect(ran.stderr).toContain('没有会话')
  })

  it('a folder that begins with a dot is meant from where the person is', async () => {
    const id = await start('./shop')
    expect(await progress(id)).toMatchObject({ folder: join(folder, 'shop') })
    await run('close', id)
  })

  it("P11: an agent's token is refused", async () => {
    for (const args of [
      ['list'],
      ['start', 'shop', 'write it'],
      ['send', 'shop', 'write it'],
      ['progress', 'shop'],
      ['stop', 'shop'],
      ['mode', 'shop', 'plan'],
      ['close', 'shop'],
    ]) {
      const { code, stderr } = await run(...args, '--token-file', server.agentTokenFile)
      expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(/agent/)])
    }
  })
})
