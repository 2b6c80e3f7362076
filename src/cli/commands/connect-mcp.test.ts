/** `banksman connect --mcp` and `disconnect --mcp` as processes, with a server, the proxy and an MCP server. */
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeMcpPrograms } from '../../server/connect/mcp/fixtures/mcp-programs.ts'
import { listTools } from '../../server/connect/mcp/probe-mcp.ts'
import { type CliFolder, makeCliFolder, type StartedServer } from '../fixtures/program.ts'

let place: CliFolder
let server: StartedServer
let file: string
let program: string

beforeAll(async () => {
  place = makeCliFolder()
  program = writeMcpPrograms(place.folder).server
  file = join(place.folder, 'home/.claude.json')
  server = await place.start()
})
afterAll(() => place.remove())
const text = (how = 'works') =>
  `{"numStartups": 7,\n  "mcpServers": {\n    "shop": { "command": "node", "args": [${JSON.stringify(program)}, "${how}"], "env": { "A": "x" } },\n    "log in": { "type": "http", "url": "https://in.example/mcp" }\n  }\n}\n`
beforeEach(() => writeFileSync(file, text(), { mode: 0o600 }))
afterEach(() => place.run(['disconnect', 'claude-code', '--mcp', '--yes']))

const read = () => readFileSync(file, 'utf8')
const connect = (...more: string[]) => place.run(['connect', 'claude-code', '--mcp', '--yes', ...more])
const disconnect = (...more: string[]) => place.run(['disconnect', 'claude-code', '--mcp', '--yes', ...more])
const own = () =>
  ['connections', 'mcp'].flatMap((name) => {
    const folder = join(place.folder, 'home', name)
    return existsSync(folder) ? readdirSync(folder) : []
  })
async function tokens(): Promise<{ subject: string; scope?: string; revokedAt?: string }[]> {
  const { items } = JSON.parse((await place.run(['tokens', 'list', '--json'])).stdout)
  return items.filter(
    ({ scope, revokedAt }: { scope?: string; revokedAt?: string }) =>
      scope?.startsWith('mcp:') && revokedAt === undefined,
  )
}

describe('connect --mcp', () => {
  it('shows the difference, writes it, and says which tools there are', async () => {
    const { code, stdout, stderr } = await connect()
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/\+ .*"--token-file"/)
    expect(stderr).toMatch(/log in .* is left alone: .*OAuth/)
    expect(stdout).toContain('shop: 2 tools: first, with x')
    expect(stdout).toMatch(/Sessions of Claude Code that are open .*start them again/)
    expect(own()).toEqual(['mcp.json', 'shop.token'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { shop } = JSON.parse(read()).mcpServers
    expect(shop.args.slice(1)).toEqual([
      'mcp',
      '--name',
      'shop',
      '--data',
      join(place.folder, '.banksman'),
      '--token-file',
      join(place.folder, 'home/mcp/shop.token'),
      '--',
      'node',
      program,
      'works',
    ])
    const secret = readFileSync(join(place.folder, 'home/mcp/shop.token'), 'utf8')
      .replace(/^.*Bearer /, '')
      .trim()
    expect(read() + stdout + stderr).not.toContain(secret)
    for (const route of ['/v1/requests', '/v1/tokens']) {
      const headers = { authorization: `Bearer ${secret}` }
      expect((await fetch(`${server.url}${route}`, { headers })).status).toBe(403)
    }
    expect(await tokens()).toMatchObject([{ subject: expect.stringMatching(/^shop@./), scope: 'mcp:shop' }])
    // As the client starts it, from anywhere and with a short PATH.
    const words = [shop.command, ...shop.args]
    const environment = { ...place.environment, BANKSMAN_HOME: '' }
    expect(await listTools({ words, environment, folder: '/' })).toEqual(['first', 'with '])
  })

  it('says what the tools are called in policies where the key of the file can not be their name', async () => {
    writeFileSync(file, text().replace('"shop"', '"shop__one"'))
    expect((await connect()).stdout).toContain('- shop__one (in policies mcp__shop_one__…): 2 tools')
  })

  it('is undone to the byte', async () => {
    await connect()
    const { code, stdout } = await disconnect()
    expect([code, stdout]).toMatchObject([
      0,
      expect.stringContaining('1 MCP server of Claude Code is as before'),
    ])
    expect([read(), own(), await tokens()]).toEqual([text(), [], []])
    expect(await disconnect()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is behind Banksman'),
    })
  })

  it('twice is once', async () => {
    await connect()
    const before = read()
    const { code, stdout, stderr } = await connect()
    expect([code, read()]).toEqual([0, before])
    expect(stderr).toContain('is behind Banksman already')
    expect(stdout).toContain('nothing is to be done')
    expect(await tokens()).toHaveLength(1)
  })

  it('--dry-run writes nothing, and needs no server', async () => {
    const environment = { BANKSMAN_DATA: join(place.folder, 'none') }
    const args = ['connect', 'claude-code', '--mcp', '--dry-run', '--json']
    const { code, stdout, stderr } = await place.run(args, { environment })
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      client: 'claude-code',
      written: false,
      servers: [{ key: 'shop', name: 'shop', before: expect.stringContaining('"node"') }],
      leftAlone: [{ key: 'log in' }],
    })
    expect([read(), own()]).toEqual([text(), []])
  })

  it('--json tells programs the same', async () => {
    const { stdout } = await connect('--json')
    expect(JSON.parse(stdout)).toMatchObject({
      written: true,
      servers: [{ key: 'shop', tools: ['first', 'with x'] }],
    })
    const undone = await disconnect('--json')
    expect(JSON.parse(undone.stdout)).toMatchObject({ written: true, unwrapped: [{ file, key: 'shop' }] })
  })

  it('says when an entry has lost the proxy', async () => {
    await connect()
    expect((await place.run(['connect'])).stdout).toMatch(
      /ok {4}MCP servers of Claude Code: 1 server is behind/,
    )
    writeFileSync(file, text())
    for (const command of ['connect', 'doctor']) {
      const { code, stdout } = await place.run([command, '--json'])
      expect(code).toBe(1)
      expect(stdout).toContain('is no longer behind Banksman: its calls pass unseen')
    }
    const { mcp } = JSON.parse((await place.run(['connect', '--json'])).stdout)
    expect(mcp.entries[0]).toEqual({
      client: 'claude-code',
      title: 'Claude Code',
      file,
      key: 'shop',
      name: 'shop',
      state: 'lost',
      command: 'banksman connect claude-code --mcp shop',
    })
    await connect()
    expect((await place.run(['connect', '--json'])).stdout).not.toContain('"lost"')
  })

  it('says that the token of a proxy was revoked, in doctor too', async () => {
    await connect()
    const [{ id }] = (await tokens()) as unknown as [{ id: string }]
    await place.run(['tokens', 'revoke', id])
    for (const command of ['connect', 'doctor'])
      expect((await place.run([command])).stdout).toMatch(
        /^FAIL {2}MCP servers of Claude Code: the server no longer knows the token of shop/m,
      )
  })

  it('takes entries of a project', async () => {
    const project = join(place.folder, 'project')
    mkdirSync(project)
    const own = join(project, '.mcp.json')
    writeFileSync(own, text())
    const { stderr } = await connect('shop', '--project', 'project')
    expect(stderr).toContain('is a file of the project: it will contain paths of this machine')
    expect(readFileSync(own, 'utf8')).toContain('--token-file')
    await disconnect()
    expect([readFileSync(own, 'utf8'), read()]).toEqual([text(), text()])
  })
})

describe('a server at an address', () => {
  let web: Server
  let cursor: string
  const address = () => `http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`
  beforeAll(async () => {
    cursor = join(place.folder, 'home/.cursor/mcp.json')
    mkdirSync(dirname(cursor))
    web = createServer(async (request, response) => {
      const { authorization, 'x-team': team } = request.headers
      if (request.method !== 'POST') return response.writeHead(405).end()
      if (authorization !== 'Bearer s3cret' || team !== 'shop') return response.writeHead(401).end()
      const { id, method, params } = JSON.parse(await textOf(request))
      if (id === undefined) return response.writeHead(202).end()
      const result =
        method === 'initialize'
          ? {
              protocolVersion: params.protocolVersion,
              capabilities: { tools: {} },
              serverInfo: { name: 'x', version: '1' },
            }
          : { tools: [{ name: 'far', inputSchema: { type: 'object' } }] }
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
    await once(web.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(() => web.close())
  const run = (command: string, ...more: string[]) =>
    place.run([command, 'cursor', '--mcp', '--yes', ...more])

  it('keeps its credential out of the command line, and is undone to the byte', async () => {
    const before = `{ // mine\n "mcpServers": { "far": { "url": "${address()}", "headers": { "Authorization": "Bearer s3cret", "X-Team": "shop" } } } }`
    writeFileSync(cursor, before)
    const { code, stdout, stderr } = await run('connect')
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('far: 1 tool: far')
    const after = readFileSync(cursor, 'utf8')
    const { args, env } = JSON.parse(after.replace('// mine', '')).mcpServers.far
    expect(args.join(' ')).not.toContain('s3cret')
    expect(env).toEqual({ BANKSMAN_HEADER_1: 'Bearer s3cret', BANKSMAN_HEADER_2: 'shop' })
    await run('disconnect')
    expect(readFileSync(cursor, 'utf8')).toBe(before)
  })

  it('P5: one that wants a login is as it was', async () => {
    const before = `{"mcpServers": {"far": {"url": "${address()}"}}}`
    writeFileSync(cursor, before)
    expect((await run('connect')).stderr).toMatch(/left alone: .*OAuth/)
    const { code, stderr } = await run('connect', 'far')
    expect([code, stderr]).toMatchObject([1, expect.stringMatching(/far doesn't answer .*401/)])
    expect([readFileSync(cursor, 'utf8'), own(), await tokens()]).toEqual([before, [], []])
  })
})

describe('P5: connect --mcp changes nothing', () => {
  it.each([
    ['a server that does not start', () => text('fails'), [], /shop doesn't answer .*no database/],
    [
      'a file that is no JSON',
      () => '{ "mcpServers": ',
      [],
      /\.claude\.json can't be changed: it isn't JSON/,
    ],
    [
      'a file with a comment',
      () => text().replace('{', '{\n// x\n'),
      [],
      /it has a comment \(line 2\): the client leaves/,
    ],
    ['a file with a byte order mark', () => `\uFEFF${text()}`, [], /byte order mark/],
    ['a server that there is not', () => text(), ['shp'], /no MCP server "shp"/],
    ['a file without servers', () => '{}', [], /there are no MCP servers in the files of Claude Code/],
    [
      'a server that can not be',
      () => '{"mcpServers": {"s": {"type": "sse", "url": "https://s.example/x"}}}',
      ['s'],
      /s can't be put behind Banksman: .*server-sent events/,
    ],
  ])('for %s', async (_, make, servers, words) => {
    const made = make()
    writeFileSync(file, made)
    const { code, stderr } = await connect(...servers)
    expect(code).toBe(1)
    expect(stderr).toMatch(words)
    expect([read(), own(), await tokens()]).toEqual([made, [], []])
  })

  it('says why a server does not answer once, and not what the proxy said of it too', async () => {
    const far = '{"type": "http", "url": "http://127.0.0.1:1/mcp", "headers": {"a": "b"}}'
    writeFileSync(file, `{"mcpServers": {"gone": {"command": "no-such-program"}, "far": ${far}}}`)
    const { stderr } = await connect()
    expect(stderr.match(/could not be started|ENOENT|ended with/g)).toEqual([
      'could not be started',
      'ENOENT',
    ])
    expect(stderr.match(/ECONNREFUSED/g)).toHaveLength(1)
    expect(stderr).not.toContain('banksman mcp:')
    expect(stderr).toMatch(/not every server answered through the proxy \(gone, far didn't\)/)
  })

  it('without a Banksman server', async () => {
    const environment = { BANKSMAN_DATA: join(place.folder, 'none') }
    const { code, stderr } = await place.run(['connect', 'claude-code', '--mcp', '--yes'], { environment })
    expect([code, stderr]).toMatchObject([1, expect.stringContaining('no server is running')])
    expect([read(), own()]).toEqual([text(), []])
  })

  it.each([
    [['connect', 'curser', '--mcp', '--yes'], /isn't one of claude-code, .*; did you mean cursor/],
    [['connect', 'claude-desktop'], /; for its MCP servers: `banksman connect claude-desktop --mcp`/],
    [['disconnect', 'cursor'], /; for its MCP servers: `banksman disconnect cursor --mcp`/],
    [['connect', '--mcp'], /name the client/],
    [['connect', 'claude-code', '--mcp'], /needs a terminal/],
    [['connect', 'claude-code', 'shop', '--yes'], /add --mcp/],
    [['connect', 'claude-code', '--dry-run'], /add --mcp/],
    [['disconnect', 'codex', '--project', '.', '--yes'], /add --mcp/],
  ])('for %j', async (args, words) => {
    expect(await place.run(args)).toMatchObject({ code: 2, stderr: expect.stringMatching(words) })
  })
})
