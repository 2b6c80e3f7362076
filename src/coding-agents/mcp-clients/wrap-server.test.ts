/** Each client's files as people write them: wrapped, wrapped again, unwrapped, and changed by others in between. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/fixtures/property-runs.ts'
import { readJsonText } from '../setup/json-text.ts'
import { readTomlText } from '../setup/toml-text.ts'
import { configText } from './config-text.ts'
import { type FoundServer, findServers } from './find-servers.ts'
import { CLIENT_FILES } from './fixtures/client-files.ts'
import type { McpFile } from './mcp-client.ts'
import { MCP_CLIENTS } from './mcp-clients.ts'
import { type EntrySources, unwrapServer, wrapServer } from './wrap-server.ts'
import { findWrapper, type McpWrapper, nameFromKey, wrapperWords } from './wrapper.ts'

const PLACE = { home: '/home/ana', environment: {}, platform: 'linux', projects: ['/home/ana/shop'] }
const WRAPPER: McpWrapper = {
  command: ['/usr/bin/node', '/opt/banksman/bin/banksman.js'],
  server: { data: '/home/ana/.banksman' },
  tokenFile: (name) => `/home/ana/.config/banksman/mcp/${name}.token`,
}
const words = (name: string) => wrapperWords(WRAPPER, name)

function fileOf(client: string, ending: string): McpFile {
  const found = MCP_CLIENTS.find(({ name }) => name === client)!.files(PLACE)
  return found.find(({ path }) => path.endsWith(ending))!
}
const serverIn = (file: McpFile, text: string, key: string): FoundServer =>
  findServers(file, text).find((server) => server.key === key)!

/** Every server that can be, one after the other, with what is kept of each. */
function wrapAll(file: McpFile, text: string): { text: string; known: Map<string, EntrySources> } {
  const known = new Map<string, EntrySources>()
  let made = text
  for (const { key, way } of findServers(file, text)) {
    if (way.kind === 'unfit') continue
    const server = serverIn(file, made, key)
    const before = configText(file).source(made, server.at)!
    made = wrapServer(file, made, server, words(nameFromKey(key)!))
    known.set(key, { before, after: configText(file).source(made, server.at)! })
  }
  return { text: made, known }
}
function unwrapAll(file: McpFile, text: string, known: ReadonlyMap<string, EntrySources>): string {
  return findServers(file, text).reduce(
    (left, { key }) => unwrapServer(file, left, serverIn(file, left, key), known.get(key)),
    text,
  )
}

const named = CLIENT_FILES.map((one) => [`${one.client}: …${one.ending}`, one] as const)

describe('a file with the proxy in front of its servers', () => {
  it.each(named)(
    '%s: every server that can be is wrapped, and none twice',
    (_, { client, ending, text, after }) => {
      const file = fileOf(client, ending)
      const wrapped = wrapAll(file, text)
      for (const { key, way, wrapper } of findServers(file, text)) {
        const now = serverIn(file, wrapped.text, key)
        expect(wrapper).toBeUndefined()
        if (way.kind === 'unfit') expect(now.wrapper).toBeUndefined()
        else
          expect(now.wrapper).toMatchObject({
            name: nameFromKey(key),
            rest: way.kind === 'stdio' ? way.words : [],
          })
        if (way.kind === 'remote') expect(now.wrapper!.url).toBe(way.url)
      }
      if (after !== undefined) expect(wrapped.text).toMatch(after)
      const again = unwrapAll(file, wrapped.text, wrapped.known)
      expect(wrapAll(file, again).text).toBe(wrapped.text)
    },
  )

  it.each(named)(
    '%s: a call waits for approval as long as the client now waits for it',
    (_, { client, ending, text }) => {
      const file = fileOf(client, ending)
      const { text: wrapped } = wrapAll(file, text)
      const isRaised = ['codex', 'gemini', 'opencode'].includes(client)
      for (const { wrapper } of findServers(file, wrapped)) {
        if (wrapper === undefined) continue
        const at = wrapper.own.indexOf('--hold')
        expect(at === -1 ? undefined : wrapper.own[at + 1]).toBe(isRaised ? '58m' : undefined)
      }
    },
  )

  it.each(named)('%s: is as it was, to the byte', (_, { client, ending, text }) => {
    const file = fileOf(client, ending)
    const { text: wrapped, known } = wrapAll(file, text)
    expect(wrapped).not.toBe(text)
    expect(unwrapAll(file, wrapped, known)).toBe(text)
  })

  it.each(named)(
    '%s: without our record the commands are back all the same',
    (_, { client, ending, text }) => {
      const file = fileOf(client, ending)
      const { text: wrapped } = wrapAll(file, text)
      for (const { key, way } of findServers(file, text)) {
        const now = serverIn(file, wrapped, key)
        if (way.kind === 'stdio')
          expect(serverIn(file, unwrapServer(file, wrapped, now), key).way).toEqual(way)
        if (way.kind === 'remote') expect(() => unwrapServer(file, wrapped, now)).toThrow(/not on record/)
      }
    },
  )

  it.each(named)('%s: what others changed in an entry of ours stays', (_, { client, ending, text }) => {
    const file = fileOf(client, ending)
    const config = configText(file)
    const { text: wrapped, known } = wrapAll(file, text)
    for (const key of known.keys()) {
      const server = serverIn(file, wrapped, key)
      const theirs = config.set(wrapped, [...server.at, 'theirs'], 'x')
      const left = serverIn(
        file,
        unwrapServer(file, theirs, serverIn(file, theirs, key), known.get(key)),
        key,
      )
      expect(left.entry).toEqual({ ...serverIn(file, text, key).entry, theirs: 'x' })
    }
  })
})

describe('what can not be wrapped', () => {
  const file = fileOf('claude-code', 'shop/.mcp.json')
  const why = (entry: object, of = file, list = 'mcpServers') => {
    const { way } = serverIn(of, JSON.stringify({ [list]: { k: entry } }), 'k')
    return way.kind === 'unfit' ? way.because : way.kind
  }

  it.each([
    [{ type: 'sse', url: 'https://a.example/x' }, /server-sent events/],
    [{ type: 'http', url: 'https://a.example/sse' }, /server-sent events/],
    [{ type: 'ws', url: 'https://a.example/x' }, /type is not known/],
    [{ type: 'sdk', command: 'x' }, /type is not known/],
    [
      { type: 'http', url: 'https://a.example', oauth: { clientId: 'x' } },
      /logs in to it by itself \(oauth\)/,
    ],
    [{ type: 'http', url: 'https://a.example', headersHelper: './token' }, /logs in to it by itself/],
    [{ type: 'http', url: `\${WHERE}` }, /address/],
    [{ type: 'http', url: 'https://a.example', headers: { a: 'x' } }, /in its own environment/],
    [{ type: 'http', url: 'https://a.example', headers: { 'a b': 'x' } }, /headers/],
    [{ type: 'http', url: 'https://a.example', headers: { a: 'x\ny' } }, /headers/],
    [{ command: 'x', args: [1] }, /no list of texts/],
    [{ command: 'x', args: 'y' }, /no list of texts/],
    [{ command: '' }, /no list of texts/],
    [{ command: 'x', url: 'https://a.example' }, /no form that is known/],
    [{}, /no form that is known/],
  ])('%j', (entry, because) => {
    expect(why(entry)).toMatch(because)
  })

  it('Gemini CLI speaks the older HTTP with what is in url', () => {
    const gemini = fileOf('gemini', 'ana/.gemini/settings.json')
    expect(why({ url: 'https://a.example/x' }, gemini)).toMatch(/server-sent events/)
    expect(why({ url: 'https://a.example/x', type: 'http' }, gemini)).toBe('remote')
  })

  it.each([
    '[mcp_servers]\na = { command = "a" }\n',
    'mcp_servers.a.command = "a"\n',
    '[mcp_servers.a]\nurl = "https://a.example/mcp"\n[mcp_servers.a.http_headers]\nX = "y"\n',
  ])('TOML in a form that would have to be written anew: %j', (text) => {
    const codex = fileOf('codex', 'ana/.codex/config.toml')
    expect(() => wrapServer(codex, text, serverIn(codex, text, 'a'), words('a'))).toThrow(/is written in/)
  })

  it('P5: a file that the client leaves out as a whole', () => {
    for (const text of ['{ "mcpServers": {}, }', '{ /* mine */ "mcpServers": {} }'])
      expect(() => findServers(file, text)).toThrow(/leaves out such a file as a whole/)
  })
})

describe('names', () => {
  it.each([
    ['a.b-c_d', 'a.b-c_d'],
    ['GitHub (work)', 'GitHub--work'],
    ['a__b', 'a_b'],
    ['数据', undefined],
    ['', undefined],
  ])('%j', (key, name) => {
    expect(nameFromKey(key)).toBe(name)
  })

  it.each([
    ['banksman mcp --name a -- x', { name: 'a', rest: ['x'] }],
    ['node /o/banksman.js mcp --name=a --data /d -- x -- y', { name: 'a', rest: ['x', '--', 'y'] }],
    ['node /o/banksman.js mcp --url https://a.example', { name: '', rest: [], url: 'https://a.example' }],
    ['npx mcp --name a -- x', undefined],
    ['node x.js -- banksman mcp -- y', undefined],
  ])('%s', (line, found) => {
    const wrapper = findWrapper(line.split(' '))
    if (found === undefined) expect(wrapper).toBeUndefined()
    else expect(wrapper).toMatchObject(found)
  })
})

describe('any file', () => {
  const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  const key = fc.constantFrom('a', 'b', 'a b', 'x.y', 'Z_1')
  const entry = fc.record(
    { command: word, args: fc.array(word, { maxLength: 4 }), env: fc.dictionary(word, word, { maxKeys: 2 }) },
    { requiredKeys: ['command'] },
  )
  const spaces = fc.constantFrom(undefined, 1, 2, 4, '\t')

  it('JSON: wrapping and unwrapping is the identity, also when others write in between', () => {
    const file = fileOf('cursor', '/home/ana/.cursor/mcp.json')
    fc.assert(
      fc.property(fc.dictionary(key, entry), spaces, fc.boolean(), (servers, indent, isCrlf) => {
        const plain = JSON.stringify({ before: 1, mcpServers: servers, behind: [] }, null, indent)
        const text = isCrlf ? plain.replaceAll('\n', '\r\n') : plain
        const { text: wrapped, known } = wrapAll(file, text)
        expect(unwrapAll(file, wrapped, known)).toBe(text)
        const byOthers = (of: string) => of.replace('"before":', '"theirs": 2, "before":')
        expect(unwrapAll(file, byOthers(wrapped), known)).toBe(byOthers(text))
        // By what the entries say.
        expect(readJsonText(unwrapAll(file, wrapped, new Map()))).toEqual(withArgs(readJsonText(text)))
      }),
      { numRuns: runs(150) },
    )
  })

  it('TOML: the same', () => {
    const file = fileOf('codex', 'ana/.codex/config.toml')
    const quoted = (text: string) => JSON.stringify(text).replaceAll('\x7f', '\\u007f')
    fc.assert(
      fc.property(fc.dictionary(key, entry), fc.boolean(), (servers, isCrlf) => {
        const lines = Object.entries(servers).flatMap(([name, { command, args, env }]) => [
          `[mcp_servers.${quoted(name)}] # ${name}`,
          ...(args === undefined ? [] : [`args = [ ${args.map(quoted).join(' ,')} ]`]),
          `command=${quoted(command)} # its program`,
          ...(env === undefined
            ? []
            : [
                `[mcp_servers.${quoted(name)}.env]`,
                ...Object.entries(env).map(([n, v]) => `${quoted(n)} = ${quoted(v)}`),
              ]),
        ])
        const text = ['x = 1', ...lines].join(isCrlf ? '\r\n' : '\n')
        const { text: wrapped, known } = wrapAll(file, text)
        expect(unwrapAll(file, wrapped, known)).toBe(text)
        const byOthers = (of: string) => `y = 2\n${of}\n[theirs]\n`
        expect(unwrapAll(file, byOthers(wrapped), known)).toBe(byOthers(text))
        expect(readTomlText(wrapped).x).toBe(1n)
      }),
      { numRuns: runs(100) },
    )
  })
})

/** Without a record nobody knows whether the list was empty or not there. */
function withArgs(root: ReturnType<typeof readJsonText>): unknown {
  const { mcpServers, ...rest } = root as { mcpServers: Record<string, object> }
  const servers = Object.entries(mcpServers).map(([name, entry]) => [name, { args: [], ...entry }])
  return { ...rest, mcpServers: Object.fromEntries(servers) }
}
