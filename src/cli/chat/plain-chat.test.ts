/** A chat in scripts and pipes, over a server and with the agent inside: real processes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliFolder, makeCliFolder, PROGRAM_WORDS, type StartedServer } from '../fixtures/program.ts'
import { openSession, WITHOUT_TERMINAL } from '../fixtures/pseudo-terminal.ts'
import { configureScriptedAgent, HOSTILE } from '../fixtures/scripted-agent.ts'

const places: CliFolder[] = []
afterAll(async () => {
  for (const place of places) await place.remove()
})

async function newPlace(): Promise<CliFolder> {
  const place = makeCliFolder()
  places.push(place)
  await configureScriptedAgent(place)
  return place
}

/** A chat that goes on while the test does something else. */
function openChat(place: CliFolder, args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [...PROGRAM_WORDS, 'chat', ...args], {
    cwd: place.folder,
    env: place.environment,
    stdio: 'pipe',
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text) => {
      said[name] += text
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return {
    child,
    said,
    ended,
    async see(name: 'stdout' | 'stderr', pattern: RegExp): Promise<string[]> {
      for (;;) {
        const match = pattern.exec(said[name])
        if (match !== null) return match
        if (child.exitCode !== null)
          throw new Error(`it ended before ${pattern}: ${said.stdout}${said.stderr}`)
        await Promise.race([new Promise((resolve) => child[name]!.once('data', resolve)), ended])
      }
    },
  }
}

const REQUEST = /banksman requests approve (req_\w+)/

describe('chat over a server', () => {
  let place: CliFolder
  let server: StartedServer
  beforeAll(async () => {
    place = await newPlace()
    server = await place.start()
  })

  it('--once prints the answer alone, and is done', async () => {
    const { code, stdout } = await place.run(['chat', '--once', 'hello there'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'You said: hello there\nand that is all.\n' })
  })

  it('--agent says whom a new conversation is with', async () => {
    const main = await place.run(['chat', '--agent', 'main', '--once', 'hello there'])
    expect([main.code, main.stdout]).toEqual([0, 'You said: hello there\nand that is all.\n'])
    const nobody = await place.run(['chat', '--agent', 'nobody', '--once', 'hello there'])
    expect([nobody.code === 0, nobody.stderr.includes('there is no agent')]).toEqual([false, true])
  })

  it('--once ends with 1 when the turn failed, and says why', async () => {
    const { code, stdout, stderr } = await place.run(['chat', '--once', 'fail'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('the model is broken')
  })

  it('each line of a pipe is a message, one turn after the other', async () => {
    const { code, stdout } = await place.run(['chat'], { input: 'alpha\n\n  \nbeta\n' })
    expect(code).toBe(0)
    expect(stdout).toBe('You said: alpha\nand that is all.\nYou said: beta\nand that is all.\n')
  })

  it('P5: nothing is approved in a pipe; it says where to answer, and waits', async () => {
    const chat = openChat(place, ['--session', 'piped', '--once', 'write it'])
    // Whoever answers on standard input is not heard.
    chat.child.stdin!.end('y\nyes\n')
    const [, id = ''] = await chat.see('stderr', REQUEST)
    expect(chat.said.stderr).toContain(server.url)
    expect((await place.run(['requests', 'show', id, '--json'])).stdout).toContain('"state": "pending"')
    expect((await place.run(['requests', 'approve', id, '--yes'])).code).toBe(0)
    expect(await chat.ended).toBe(0)
    expect(chat.said.stdout).toBe('Done: made note.txt (5 bytes)\n')
    expect(chat.said.stderr).toContain('I write a file.')
    expect(chat.said.stderr).toContain('✓ write_file: note.txt')
  })

  it('--json prints every event, a line each, and a refusal with who and why', async () => {
    const chat = openChat(place, ['--json', '--session', 'json', '--once', 'edit it'])
    const [, id = ''] = await chat.see('stderr', REQUEST)
    await place.run(['requests', 'reject', id, '--reason', 'no'])
    expect(await chat.ended).toBe(0)
    const events = chat.said.stdout
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each))
    expect(events[0]).toMatchObject({ kind: 'turn_begun', text: 'edit it', by: 'ana', session: 'json' })
    expect(events.find(({ kind }) => kind === 'call_waiting')).toMatchObject({ request: id })
    expect(events.find(({ kind }) => kind === 'call_refused')).toMatchObject({ state: 'rejected', by: 'ana' })
    expect(events.at(-1)).toMatchObject({ kind: 'turn_ended', status: 'completed' })
  })

  it('P9: neither text nor JSON carries what controls a terminal', async () => {
    for (const args of [[], ['--json']]) {
      const chat = openChat(place, [...args, '--once', 'hostile'])
      const [, id = ''] = await chat.see('stderr', REQUEST)
      await place.run(['requests', 'reject', id])
      expect(await chat.ended).toBe(0)
      const all = chat.said.stdout + chat.said.stderr
      for (const character of new Set(HOSTILE.replaceAll(/[ -~]/g, ''))) expect(all).not.toContain(character)
      expect(all).toContain('Over')
    }
  })

  it('Ctrl-C in a script interrupts, and a second one stops at once', async () => {
    const chat = openChat(place, ['--session', 'signals', '--once', 'think long'])
    const [, id = ''] = await chat.see('stderr', REQUEST)
    await place.run(['requests', 'approve', id, '--yes'])
    await chat.see('stderr', /✓ write_file: long\.txt/)
    chat.child.kill('SIGINT')
    await chat.see('stderr', /ana interrupted the turn/)
    chat.child.kill('SIGINT')
    expect(await chat.ended).toBe(1)
    expect(chat.said.stderr).toContain('Turn ended: interrupted')
  })

  it('whoever is told to end leaves the agent at work, and says so', async () => {
    const chat = openChat(place, ['--session', 'left', '--once', 'write it'])
    const [, id = ''] = await chat.see('stderr', REQUEST)
    chat.child.kill('SIGTERM')
    expect(await chat.ended).toBe(1)
    expect(chat.said.stderr).toContain('banksman chat --session left')
    expect((await place.run(['requests', 'show', id, '--json'])).stdout).toContain('"state": "pending"')
  })

  it.each([
    [['--session', 'a b'], 2, 'without blanks'],
    [['--session', '..'], 2, 'without blanks'],
    [['--session', 'x'.repeat(257)], 2, 'at most 256'],
    [['--once'], 2, '--once needs a value'],
    [['--embedded'], 1, 'a server already runs on this data folder'],
    [['--embedded', '--url', 'http://127.0.0.1:1'], 2, 'either --embedded or --url'],
    [['--url', 'http://127.0.0.1:1'], 1, 'needs a token'],
  ])('refuses %j with %d: %s', async (args, exit, words) => {
    const { code, stdout, stderr } = await place.run(['chat', ...args])
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' })
    expect(stderr).toContain(words)
  })

  it("P11: an agent's token can't talk to the agent", async () => {
    const { code, stderr } = await place.run(['chat', '--once', 'hi', '--token-file', server.agentTokenFile])
    expect(code).toBe(1)
    expect(stderr).toContain("this is an agent's token")
  })

  it("P6: somebody else's conversation is not gone on with", async () => {
    await place.run(['chat', '--session', 'mine', '--once', 'hi'])
    const made = await place.run(['tokens', 'create', '--role', 'approver', '--subject', 'ben', '--json'])
    const { secret } = JSON.parse(made.stdout) as { secret: string }
    const environment = { BANKSMAN_TOKEN: secret }
    const { code, stderr } = await place.run(['chat', '--session', 'mine', '--once', 'hi'], { environment })
    expect(code).toBe(1)
    expect(stderr).toContain('belongs to')
    expect((await place.run(['chat', '--session', 'bens', '--once', 'hi'], { environment })).code).toBe(0)
    const admin = await place.run(['chat', '--session', 'bens', '--once', 'hi'])
    expect(admin.stderr).toContain('the conversation bens belongs to ben')
  })
})

describe('chat without a server', () => {
  it('says how to get somebody to talk to, and leaves nothing behind', async () => {
    const place = makeCliFolder()
    places.push(place)
    const { code, stdout, stderr } = await place.run(['chat', '--once', 'hi'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    for (const way of ['banksman start --demo', 'ANTHROPIC_API_KEY', '--url']) expect(stderr).toContain(way)
    expect(existsSync(join(place.folder, '.banksman'))).toBe(false)
  })

  it('P11: a model that nobody has trusted does not count', async () => {
    const place = makeCliFolder()
    places.push(place)
    await configureScriptedAgent(place)
    const trusted = join(place.folder, 'home')
    const environment = { BANKSMAN_HOME: join(trusted, 'other') }
    const { code, stderr } = await place.run(['chat', '--once', 'hi'], { environment })
    expect(code).toBe(1)
    expect(stderr).toContain('banksman trust')
  })

  it('a server without an agent says so', async () => {
    const place = makeCliFolder()
    places.push(place)
    await place.start()
    const { code, stderr } = await place.run(['chat', '--once', 'hi'])
    expect(code).toBe(1)
    expect(stderr).toContain('there is nobody to talk to')
  })

  it('talks to the demonstration’s agent, which takes a no for an answer', async () => {
    const place = makeCliFolder()
    places.push(place)
    await place.start(['--demo'])
    const chat = openChat(place, ['--once', 'how is the weather in Oslo?'])
    const [, id = ''] = await chat.see('stderr', REQUEST)
    await place.run(['requests', 'reject', id, '--reason', 'it rains'])
    expect(await chat.ended).toBe(0)
    expect(chat.said.stderr).toContain('Oslo')
    expect(chat.said.stdout).toContain('it rains')
  })

  it('the agent runs inside: it answers, asks, and others answer it meanwhile', async () => {
    const place = await newPlace()
    const chat = openChat(place, ['--embedded', '--session', 'inside', '--once', 'write it'])
    const [, id = ''] = await chat.see('stderr', REQUEST)
    // One at a time: who comes now talks to the agent of the one that runs.
    expect((await place.run(['chat', '--embedded', '--once', 'hi'])).stderr).toContain(
      'a server already runs',
    )
    expect((await place.run(['requests', 'approve', id, '--yes'])).code).toBe(0)
    expect(await chat.ended).toBe(0)
    expect(chat.said.stdout).toBe('Done: made note.txt (5 bytes)\n')
    expect(existsSync(join(place.folder, '.banksman', 'server.json'))).toBe(false)
  })

  it.skipIf(WITHOUT_TERMINAL !== undefined && process.env.CI !== 'true')(
    'P7: what waited when the chat inside was left goes on when it is opened again',
    async () => {
      const place = await newPlace()
      const session = openSession(place, ['chat', '--session', 'kept'], { NO_COLOR: '1' })
      await session.see('the agent runs in this chat')
      session.type('write it\r')
      await session.see('[y] approve')
      session.type('\u0004')
      await session.see('The agent stops in the middle of a turn')
      expect(await session.end()).toBe(0)

      const again = openSession(place, ['chat', '--session', 'kept'], { NO_COLOR: '1' })
      await again.see('in the conversation kept')
      await again.see('Where you left off')
      await again.see('[y] approve')
      await again.typeUntil('y', '✓ Approved.')
      await again.see('Done: ')
      again.type('\u0015\u0004')
      expect(await again.end()).toBe(0)
      expect(readFileSync(join(place.folder, 'work', 'note.txt'), 'utf8')).toBe('hello')
    },
  )
})
