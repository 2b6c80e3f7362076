import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLoopbackServer } from '../../../test/fixtures/loopback-server.ts'
import { createClient, login } from '../../client/index.ts'
import { trustFolder, writeTrusted } from '../../server/configuration/trust.ts'
import { makeCliFolder, type StartedServer } from '../fixtures/program.ts'
import { runInProcess } from '../fixtures/recording-terminal.ts'

const place = makeCliFolder()
let server: StartedServer
beforeAll(async () => {
  server = await place.start()
})
afterAll(() => place.remove())

const run = (...args: string[]) => runInProcess(args, place.folder, place.environment)
const keyFile = join(place.folder, '.banksman', 'cli-key')
const codeOf = (link: string) => new URL(link).hash.replace('#login=', '')

describe('the owner’s own key', () => {
  it('is made once, kept for its owner alone, and made again when it no longer holds', async () => {
    await run('tokens', 'list')
    const first = readFileSync(keyFile, 'utf8')
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    await run('tokens', 'list')
    expect(readFileSync(keyFile, 'utf8')).toBe(first)

    writeFileSync(keyFile, 'bmp_revoked\n')
    expect((await run('tokens', 'list')).code).toBe(0)
    expect(readFileSync(keyFile, 'utf8')).toMatch(/^bmp_.{40,}/)
  })

  it('is listed as what it is, without a cookie that only a browser needs', async () => {
    const other = makeCliFolder()
    // The demonstration leaves a cookie for its chat page with whoever logs in.
    const { loginLink, url } = await other.start(['--demo'])
    const list = async () => {
      const { stdout } = await runInProcess(['tokens', 'list'], other.folder, other.environment)
      return stdout.trim().split('\n')
    }
    const own = (await list()).filter(
      (line) => line.includes(' ana  created 20') && !line.includes('login link'),
    )
    expect(own).toEqual([expect.stringMatching(/admin +ana .* {2}command line {2}until /)])
    await login({ url, code: codeOf(loginLink) })
    expect((await list()).join('\n')).toMatch(
      / {2}browser {2}[\s\S]*chat page|chat page[\s\S]* {2}browser {2}/,
    )
    await other.remove()
  })

  it('P10: making it is in the journal, which verifies', async () => {
    rmSync(keyFile, { force: true })
    await run('tokens', 'list')
    const { stdout } = await place.run(['journal', 'export'])
    const made = stdout
      .split('\n')
      .filter((line) => line.includes('token.created') && line.includes('\\"via\\":\\"cli\\"'))
    expect(made.length).toBeGreaterThan(0)
    expect((await run('journal', 'verify')).code).toBe(0)
  })

  it('P11: is not sent to whoever has taken the port after a crash', async () => {
    const other = makeCliFolder()
    const crashed = await other.start()
    await runInProcess(['tokens', 'list'], other.folder, other.environment)
    await crashed.stop('SIGKILL')
    const thief = await startLoopbackServer((_, response) => void response.end('{}'))
    const file = join(other.folder, '.banksman', 'server.json')
    expect(existsSync(file)).toBe(true)
    // The pid of something that lives, as after a reboot.
    for (const pid of [crashed.process.pid, process.pid]) {
      writeFileSync(file, JSON.stringify({ url: thief.url, pid }))
      const { code, stderr } = await runInProcess(['requests', 'list'], other.folder, other.environment)
      expect(code).toBe(1)
      expect(stderr).toContain('no server is running')
    }
    expect(thief.heard).toEqual([])
    await thief.close()
    await other.remove()
  })
})

describe('login', () => {
  it('prints a fresh link for the owner, alone on standard output', async () => {
    const { code, stdout, stderr } = await place.run(['login'])
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^${server.url}/#login=bml_\\S+\n$`))
    expect(stderr).toContain('works once')
    expect(await login({ url: server.url, code: codeOf(stdout.trim()) })).toMatchObject({
      subject: 'ana',
      role: 'admin',
    })
  })

  it('for another person, as an approver unless it is said otherwise', async () => {
    const { link, ...rest } = JSON.parse((await run('login', '--subject', 'ben', '--new', '--json')).stdout)
    expect(rest).toMatchObject({ subject: 'ben', role: 'approver', expiresAt: expect.any(String) })
    const { key } = await login({ url: server.url, code: codeOf(link) })
    await expect(createClient({ url: server.url, token: key }).tokens.list()).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  it('P6: refuses a person who is not known, and names those who are', async () => {
    await run('tokens', 'create', '--role', 'approver', '--subject', 'benjamin')
    const before = (await run('tokens', 'list', '--json')).stdout
    const { code, stdout, stderr } = await run('login', '--subject', 'benjamim')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('"benjamim" is not known here; did you mean benjamin? Known are ana, ')
    expect(stderr).toContain('--new')
    expect((await run('tokens', 'list', '--json')).stdout).toBe(before)
    expect((await run('login', '--subject', 'agent')).code).toBe(1)
    expect((await run('login', '--subject', 'benjamin')).code).toBe(0)
    expect((await run('login', '--new')).code).toBe(2)
  })

  it('knows who was given a link that can still be used', async () => {
    expect((await run('login', '--subject', 'gwen')).code).toBe(1)
    expect((await run('login', '--subject', 'gwen', '--new')).code).toBe(0)
    expect((await run('login', '--subject', 'gwen')).code).toBe(0)
  })

  it('knows the people of the configuration, and links by the public name', async () => {
    const other = makeCliFolder()
    const text = 'people: { eve: }\nnames: ["approvals.example.org:8443"]\n'
    const file = join(other.folder, 'banksman.yaml')
    writeFileSync(file, text)
    writeTrusted(trustFolder(other.environment), file, text, 'ana', 1)
    const { loginLink, url } = await other.start()
    expect(loginLink).toMatch(/^https:\/\/approvals\.example\.org:8443\/#login=bml_/)
    const ran = await runInProcess(['login', '--subject', 'eve'], other.folder, other.environment)
    expect(ran.stdout).toMatch(/^https:\/\/approvals\.example\.org:8443\/#login=bml_\S+\n$/)
    expect(await login({ url, code: codeOf(ran.stdout.trim()) })).toMatchObject({ subject: 'eve' })
    await other.remove()
  })

  it('needs a running server on the data folder', async () => {
    const { code, stderr } = await runInProcess(
      ['login', '--data', 'nowhere'],
      place.folder,
      place.environment,
    )
    expect(code).toBe(1)
    expect(stderr).toContain('no server is running')
    expect(existsSync(join(place.folder, 'nowhere'))).toBe(false)
  })
})

describe('tokens', () => {
  it('are made, listed and revoked', async () => {
    const created = await run(
      'tokens',
      'create',
      '--role',
      'agent',
      '--subject',
      'builder',
      '--label',
      'night',
      '--expires-in',
      '1h',
    )
    const secret = created.stdout.trim()
    expect(secret).toMatch(/^bma_\S+$/)
    const client = createClient({ url: server.url, token: secret })
    expect(await client.me()).toMatchObject({ subject: 'builder', role: 'agent' })

    const listed = await run('tokens', 'list')
    const line = listed.stdout.split('\n').find((one) => one.includes('builder')) ?? ''
    expect(line).toContain('night')
    expect(line).toContain('until')
    expect(listed.stdout).not.toContain(secret)
    const [id = ''] = line.split(' ')
    expect((await run('tokens', 'revoke', id)).code).toBe(0)
    await expect(client.me()).rejects.toMatchObject({ code: 'unauthenticated' })
    expect((await run('tokens', 'list')).stdout).not.toContain('builder')
    expect((await run('tokens', 'list', '--all')).stdout).toContain('REVOKED')
    expect(await run('tokens', 'revoke', 'tok_nothing')).toMatchObject({ code: 1 })
  })

  it('that end within a day are listed with the time, and others with the day', async () => {
    await run('login', '--subject', 'ida', '--new')
    await run('tokens', 'create', '--role', 'approver', '--subject', 'jon', '--expires-in', '30d')
    const { stdout } = await run('tokens', 'list')
    const lineOf = (name: string) => stdout.split('\n').find((line) => line.includes(` ${name} `)) ?? ''
    expect(lineOf('ida')).toMatch(/login link {2}until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)
    expect(lineOf('jon')).toMatch(/until \d{4}-\d\d-\d\d$/)
  })

  it('links that were used are not listed, not even with --all', async () => {
    const { link } = JSON.parse((await run('login', '--subject', 'kim', '--new', '--json')).stdout)
    await login({ url: server.url, code: codeOf(link) })
    const { stdout } = await run('tokens', 'list', '--all')
    const lines = stdout.split('\n').filter((line) => line.includes(' kim '))
    expect(lines).toEqual([expect.stringContaining('browser')])
  })

  it('go straight into a file that only its owner can read, and never over another', async () => {
    const file = join(place.folder, 'builder-token')
    const args = ['tokens', 'create', '--role', 'agent', '--subject', 'builder', '--output', 'builder-token']
    const { code, stdout } = await run(...args)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const before = readFileSync(file, 'utf8')
    expect(before).toMatch(/^bma_/)
    expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining('exists') })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('leave no empty file behind when none was made', async () => {
    const { code } = await run(
      'tokens',
      'create',
      '--role',
      'agent',
      '--subject',
      'two words',
      '--output',
      'none',
    )
    expect(code).toBe(1)
    expect(existsSync(join(place.folder, 'none'))).toBe(false)
  })

  it('P11: an agent’s token makes, lists and revokes none', async () => {
    for (const args of [['create', '--role', 'admin', '--subject', 'me'], ['list'], ['revoke', 'tok_1']]) {
      const { code, stdout, stderr } = await run('tokens', ...args, '--token-file', server.agentTokenFile)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/needs an admin|only an admin/)
    }
  })
})
