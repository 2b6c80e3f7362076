import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { login } from '../../client/index.ts'
import { agentOf } from '../fixtures/calling-agent.ts'
import { type CliFolder, makeCliFolder, PROGRAM_WORDS, type StartedServer } from '../fixtures/program.ts'

const places: CliFolder[] = []
afterAll(async () => {
  for (const place of places) await place.remove()
})
function newPlace(): CliFolder {
  const place = makeCliFolder()
  places.push(place)
  return place
}

/** Resolves once the server has logged it. */
async function logged(server: StartedServer, text: string): Promise<void> {
  while (!server.errors().includes(text)) {
    await new Promise((resolve) => server.process.stderr?.once('data', resolve))
  }
}

describe('start', () => {
  it('P7: is ready with a link and a token, stops in order, and finds everything again', async () => {
    const place = newPlace()
    const server = await place.start()
    expect(server.loginLink).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#login=bml_/)
    expect(statSync(server.agentTokenFile).mode & 0o777).toBe(0o600)
    const request = await agentOf(server).ask()
    expect(server.errors()).toContain('every call needs approval')
    expect(await server.stop()).toBe(0)
    expect(existsSync(join(place.folder, '.banksman', 'server.json'))).toBe(false)

    const again = await place.start()
    expect((await agentOf(again).client.list()).items.map(({ id }) => id)).toEqual([request.id])
    expect(await again.stop('SIGINT')).toBe(0)
  })

  it('prints one ready line for people, and where the agent’s token is', async () => {
    const { stdout } = await startUntilReady(newPlace(), ['start', '--port', '0', '--login-link'])
    const [ready, open, token, ...rest] = stdout.trimEnd().split('\n')
    expect(ready).toMatch(/^Banksman is ready: http:\/\/127\.0\.0\.1:\d+\/#login=bml_\S+$/)
    expect(open).toContain('works once')
    expect(token).toContain(join('.banksman', 'agent-token'))
    expect(rest).toEqual([])
  })

  it('says where coding sessions work and how to start one, and which folders can’t be used', async () => {
    const place = newPlace()
    mkdirSync(join(place.folder, 'shop'))
    writeFileSync(join(place.folder, 'banksman.yaml'), 'secretary: { folders: [./shop, ./gone] }\n')
    expect((await place.run(['trust', '--yes'])).code).toBe(0)
    const { stdout, stderr } = await startUntilReady(place, ['start', '--port', '0'])
    expect(stdout).toMatch(/ {2}Coding sessions work in \S*\/shop; .*banksman sessions start FOLDER/)
    expect(stdout).not.toContain('banksman chat')
    expect(stderr).toMatch(
      /secretary\.folders: there is no folder `\S*\/gone`; sessions can work in \S*\/shop\n/,
    )
  })

  it.each([[[]], [['--no-login-link']], [['--json']], [['--demo']]])(
    'P11: prints no login link where the output is no terminal, and no secret to the log: %j',
    async (more) => {
      const place = newPlace()
      const { stdout, stderr } = await startUntilReady(place, ['start', '--port', '0', ...more])
      if (!more.includes('--json')) {
        expect(stdout).toMatch(/^Banksman is ready: http:\/\/127\.0\.0\.1:\d+\/ \(run `banksman login`/)
      }
      expect(stdout + stderr).not.toMatch(/bm[apl]_|#login=/)
    },
  )

  it('the link logs in once', async () => {
    const server = await newPlace().start()
    const code = new URL(server.loginLink).hash.replace('#login=', '')
    expect(await login({ url: server.url, code })).toMatchObject({ subject: 'ana', role: 'admin' })
    await expect(login({ url: server.url, code })).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it('a second signal stops it at once, whoever is still sending', async () => {
    const server = await newPlace().start()
    const { hostname, port, host } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const token = readFileSync(server.agentTokenFile, 'utf8').trim()
    const head = `POST /v1/calls HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`
    await new Promise((resolve) => socket.write(`${head}\r\nContent-Length: 1000\r\n\r\n{"tool"`, resolve))
    // An answer on another connection: what was sent before it has arrived.
    await agentOf(server).client.list()
    server.process.kill('SIGTERM')
    await logged(server, 'stopping')
    expect(await server.stop('SIGTERM')).toBe(1)
    socket.destroy()
  })
})

describe('start --demo', () => {
  it('runs an agent with a policy of its own where there is no configuration, and asks', async () => {
    const place = newPlace()
    const server = await place.start(['--demo'])
    await logged(server, 'write_file: needs approval')
    expect(server.errors()).toContain("the demonstration's policy is in force")
    expect(server.errors()).toContain('drop_production: denied')
    const { stdout } = await place.run(['requests', 'list'])
    expect(stdout).toContain('greeting.txt')
    const [id = ''] = stdout.split(' ')

    // The same request is there after a restart, and approving it runs the tool.
    await server.stop()
    const again = await place.start(['--demo'])
    const approved = await place.run(['requests', 'approve', id, '--yes'])
    expect(approved.code).toBe(0)
    await logged(again, 'write_file: ran')
    const temporary = join(place.folder, 'tmp')
    const [workspace = ''] = readdirSync(temporary).filter((name) =>
      name.startsWith('banksman-demonstration-'),
    )
    expect(readFileSync(join(temporary, workspace, 'greeting.txt'), 'utf8')).toContain(
      'A person approved this very text',
    )
    // What was told before the restart is not told as if it had happened again.
    for (const line of ['list_dir: ran', 'drop_production: denied'])
      expect(again.errors()).not.toContain(line)
    expect(again.errors().split('write_file: ran')).toHaveLength(2)
  })

  it('runs it again when told to, one run at a time, with the folder of its coding session as it was', async () => {
    const place = newPlace()
    const server = await place.start(['--demo'])
    await logged(server, 'exec: needs approval')
    const early = await place.run(['demo'])
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('still running') })

    const rejectAll = async () => {
      const { stdout } = await place.run(['requests', 'list', '--json'])
      for (const { id } of (JSON.parse(stdout) as { items: { id: string }[] }).items)
        await place.run(['requests', 'reject', id, '--reason', 'no'])
    }
    await logged(server, 'fixes a failing test')
    await rejectAll()
    await logged(server, 'To run it again: banksman demo')
    const again = await place.run(['demo', '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({
      state: 'running',
      session: expect.stringMatching(/^demonstration-/),
    })
    await until(() => server.errors().split('exec: needs approval').length === 3)
    for (const line of ['write_file: rejected', 'get_weather: rejected', 'exec: rejected'])
      expect(server.errors().split(line)).toHaveLength(2)
  })

  it('is not there to be run on a server that was started without it', async () => {
    const place = newPlace()
    await place.start()
    expect(await place.run(['demo'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('banksman start --demo'),
    })
  })
})

describe('the coding session of start --demo', () => {
  it('mends the test in its folder once people approve, and is begun once', async () => {
    const place = newPlace()
    const server = await place.start(['--demo'])
    const approve = async (tool: string) => {
      let id: string | undefined
      await until(async () => {
        const { stdout } = await place.run(['requests', 'list'])
        id = stdout
          .split('\n')
          .find((line) => line.includes(tool))
          ?.split(' ')[0]
        return id !== undefined
      })
      expect((await place.run(['requests', 'approve', id ?? '', '--yes'])).code).toBe(0)
    }
    await logged(server, 'fixes a failing test')
    await approve('price.js')
    await server.stop()
    const again = await place.start(['--demo'])
    await approve('node --test')
    await until(async () => !(await place.run(['requests', 'list'])).stdout.includes('node --test'))
    expect(again.errors()).not.toContain('fixes a failing test')
    const temporary = join(place.folder, 'tmp')
    const [workspace = ''] = readdirSync(temporary).filter((name) =>
      name.startsWith('banksman-demonstration-'),
    )
    expect(readFileSync(join(temporary, workspace, 'shop', 'price.js'), 'utf8')).toContain('price * count')
  })
})

describe('the configuration', () => {
  it('P11: holds only once somebody has trusted it, and a running server follows', async () => {
    const place = newPlace()
    const file = join(place.folder, 'banksman.yaml')
    writeFileSync(file, 'policy:\n  allow: [write_file]\n')
    const server = await place.start()
    await logged(server, 'nobody has trusted')
    const { client } = agentOf(server)
    const submit = (callId: string) =>
      client
        .submit({ tool: 'write_file', arguments: {}, callId, session: 's' })
        .then(({ verdict }) => verdict.kind)
    expect(await submit('1')).toBe('ask')
    expect((await place.run(['trust', '--yes'])).code).toBe(0)
    // At once: when `trust` has returned, the old policy decides nothing more.
    expect(await submit('2')).toBe('allow')
    expect((await place.run(['trust', '--forget'])).code).toBe(0)
    expect(await submit('2b')).toBe('ask')
    expect((await place.run(['trust', '--yes'])).code).toBe(0)
    await logged(server, 'the newly trusted configuration is in force')
    await server.stop()

    writeFileSync(file, 'policy:\n  mode: bypass\n')
    const again = await place.start()
    await logged(again, 'the text that was trusted last stays in force')
    const verdict = await agentOf(again).client.submit({
      tool: 'other',
      arguments: {},
      callId: '3',
      session: 's',
    })
    expect(verdict.verdict.kind).toBe('ask')
  })

  it('that changes or breaks while the server runs is told once, with what is in force instead', async () => {
    const place = newPlace()
    const file = join(place.folder, 'banksman.yaml')
    writeFileSync(file, 'policy:\n  allow: [write_file]\n')
    expect((await place.run(['trust', '--yes'])).code).toBe(0)
    const server = await place.start()
    await logged(server, `the policy of ${file} is in force`)
    const told = (line: string) =>
      server
        .errors()
        .split('\n')
        .filter((each) => each.includes(line))

    writeFileSync(file, 'policy:\n  mode: bypass\n')
    await logged(server, 'has changed: the text that was trusted last stays in force')
    writeFileSync(file, 'policy:\n  mode: bypas\n')
    await logged(server, "has changed and can't be used: the text that was trusted last stays in force")
    expect(told("can't be used")[0]).toContain(`${file}:2:3`)
    rmSync(file)
    await logged(server, `${file} is gone: the text that was trusted last stays in force`)
    expect(
      (await agentOf(server).client.submit({ tool: 'write_file', arguments: {}, callId: '1', session: 's' }))
        .verdict.kind,
    ).toBe('allow')
    writeFileSync(file, 'policy:\n  allow: [write_file]\n')
    await until(() => told(`the policy of ${file} is in force`).length === 2)
    for (const line of ['has changed: ', "can't be used", 'is gone: ']) expect(told(line)).toHaveLength(1)
  })

  it("P11: that is trusted takes the place of the demonstration's policy in a running server", async () => {
    const place = newPlace()
    const server = await place.start(['--demo'])
    const { client } = agentOf(server)
    const submit = (callId: string) =>
      client
        .submit({ tool: 'users_delete', arguments: {}, callId, session: 'mine' })
        .then(({ verdict }) => verdict.kind)
    expect(await submit('1')).toBe('ask')
    expect((await place.run(['doctor'])).stdout).toContain(
      "banksman.yaml: the demonstration's policy is in force",
    )
    const explained = () => place.run(['policy', 'explain', 'notes.txt', '--tool', 'read_file'])
    expect(await explained()).toMatchObject({
      stdout: expect.stringMatching(/^Allowed/),
      stderr: expect.stringContaining("the demonstration's policy is in force"),
    })
    writeFileSync(join(place.folder, 'banksman.yaml'), 'policy:\n  deny: ["*_delete"]\n')
    await logged(server, "the demonstration's policy stays in force until you run: banksman trust")
    expect((await place.run(['doctor'])).stdout).toContain("isn't trusted: the demonstration's policy")
    expect((await explained()).stdout).toMatch(/^Needs approval/)
    expect((await place.run(['trust', '--yes'])).code).toBe(0)
    await logged(server, 'the newly trusted configuration is in force')
    expect(await submit('2')).toBe('deny')
  })
})

describe('what keeps it from starting is said in a paragraph and ends with 1', () => {
  it('a port in use', async () => {
    const taken = createServer()
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port))
    })
    const place = newPlace()
    const { code, stderr } = await place.run(['start', '--port', String(port)])
    expect(existsSync(join(place.folder, '.banksman')), 'a start that failed left something behind').toBe(
      false,
    )
    expect(code).toBe(1)
    expect(stderr).toContain(`port ${port} on 127.0.0.1 is in use`)
    expect(stderr).not.toContain('    at ')
    taken.close()
  })

  it('a data folder in use', async () => {
    const place = newPlace()
    const server = await place.start()
    const { code, stderr } = await place.run(['start', '--port', '0'])
    expect(code).toBe(1)
    expect(stderr).toContain('another server already uses')
    expect(stderr).toContain(server.url)
    // The refused one has not taken the other's place.
    expect((await place.run(['requests', 'list'])).code).toBe(0)
  })

  it('a configuration with a mistake', async () => {
    const place = newPlace()
    writeFileSync(join(place.folder, 'banksman.yaml'), 'policy:\n  mode: bypas\n')
    const { code, stderr } = await place.run(['start', '--port', '0', '--json'])
    expect(code).toBe(1)
    const last = stderr.trimEnd().split('\n').at(-1) ?? ''
    expect(JSON.parse(last)).toMatchObject({ error: { code: 'invalid_policy', line: 2 } })
  })

  it('a data folder that is a file, and one with a database that is none', async () => {
    const place = newPlace()
    writeFileSync(join(place.folder, 'a-file'), '')
    const file = await place.run(['start', '--port', '0', '--data', 'a-file'])
    expect(file).toMatchObject({ code: 1, stderr: expect.stringContaining('a-file') })
    expect(file.stderr).not.toContain('    at ')
    const first = await place.start(['--data', 'other'])
    await first.stop()
    for (const side of ['-wal', '-shm'])
      rmSync(join(place.folder, 'other', `banksman.db${side}`), { force: true })
    writeFileSync(
      join(place.folder, 'other', 'banksman.db'),
      'this is not a database, and long enough to be read as one'.repeat(100),
    )
    const other = await place.run(['start', '--port', '0', '--data', 'other'])
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('not a SQLite database') })
  })

  it('warns of an address that others can reach', async () => {
    const { stderr } = await startUntilReady(newPlace(), ['start', '--port', '0', '--host', '0.0.0.0'])
    expect(stderr).toContain('there is no TLS')
  })
})

/** Runs it until it has said that it is ready, then stops it. */
async function startUntilReady(
  place: CliFolder,
  args: string[],
): Promise<{ stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [...PROGRAM_WORDS, ...args], {
    cwd: place.folder,
    env: place.environment,
  })
  let stdout = ''
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
    if (stdout.includes('agent-token')) child.kill('SIGTERM')
  })
  await new Promise((resolve) => child.once('close', resolve))
  return { stdout, stderr }
}
