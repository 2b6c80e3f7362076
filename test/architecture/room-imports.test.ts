/**
 * The arrows between the rooms. A reader can say what a file may import before opening it; this is where it is
 * written down, and what goes red when it stops being true.
 */
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, isForTests, lineAt, productSources, type SourceFile, walk } from './source-files.ts'

interface Room {
  /** Rooms, or single files in them, that it may import besides itself. */
  to: string[]
  /** The same, but only their types. */
  types?: string[]
  /** Modules of Node that it may import; absent: all. */
  node?: string[]
  /** It is given the clock, random numbers, the environment and the disk. */
  pure?: true
  /** The folders in it know nothing of each other, only of the files beside them, such as their contract. */
  apart?: true
  /** Of a folder in it: the folders of the same room that it may import besides itself. */
  folders?: Record<string, string[]>
  /** Of a folder in it: what it may import of other rooms besides what the room may. */
  more?: Record<string, string[]>
}

const ROOMS: Record<string, Room> = {
  core: { to: [], node: ['node:crypto'], pure: true },
  // The port of adapters, near and far. A browser may load it.
  guard: { to: ['core'], node: [], pure: true },
  // For the frameworks of others. They go with the guard of either side, so a browser may load them; each knows its own framework.
  adapters: {
    to: ['guard', 'core/defined.ts', 'core/errors.ts', 'core/json/json.ts', 'core/json/parse-json.ts'],
    types: ['core'],
    node: [],
    apart: true,
  },
  // Every shape that crosses a process line. What is below `types` goes into browsers too, without a library.
  wire: { to: ['core'], node: [], pure: true },
  policy: { to: ['core'], node: ['node:path'], pure: true },
  display: { to: ['core'], node: [], pure: true },
  journal: { to: ['core'], node: ['node:crypto'] },
  gateway: {
    to: ['core', 'guard', 'policy', 'display', 'journal', 'stores/store.ts', 'people/channel.ts'],
    node: ['node:crypto'],
    pure: true,
  },
  stores: { to: ['core', 'journal'], apart: true },
  // Chats keep their cards as records, and one node receives for all by a lease.
  people: {
    to: ['core', 'display'],
    types: ['wire/types', 'stores/record-verbs.ts', 'stores/lease-verbs.ts'],
    apart: true,
  },
  // Sessions are hosted for any engine: they know none. The secretary keeps what it knows of a session as records, and is talked to in
  // chats. The engine that is Claude Code has the gate that programs of other people have.
  agents: {
    to: ['core', 'display', 'guard'],
    types: ['gateway', 'policy', 'people/channel.ts', 'people/driver.ts', 'stores/record-verbs.ts'],
    folders: { sessions: [] },
    more: { claude: ['adapters/claude-agent-sdk'] },
  },
  // Events and answers of coding agents, as pure functions. Where each takes its settings from is in one table, which the policy keeps
  // from calls. Claude Code's questions are those of its SDK.
  'coding-agents': {
    to: ['core', 'policy/agent-files/agent-file-places.ts', 'policy/agent-files/agents'],
    types: ['guard', 'policy/agent-files/agent-table.ts'],
    node: [],
    pure: true,
    more: { 'claude-code': ['adapters/claude-agent-sdk'] },
  },
  http: {
    to: ['gateway', 'guard', 'core', 'display', 'wire', 'coding-agents'],
    types: ['people/door.ts', 'people/driver.ts'],
  },
  // Between an MCP client and its server. It decides nothing: it runs as the agent's user, and asks the server by the client's guard.
  mcp: { to: ['client', 'guard', 'core'] },
  client: {
    to: ['guard', 'core/time/clock.ts', 'core/defined.ts', 'core/errors.ts', 'core/json/parse-json.ts'],
    types: ['core', 'wire/types'],
    node: [],
  },
  // What puts everything together, and the doors of the library.
  server: { to: ['*'] },
  'index.ts': { to: ['*'] },
  'agent.ts': { to: ['*'] },
  // Errors are core's, and a command must tell them apart.
  cli: {
    to: ['client', 'server', 'policy', 'journal', 'display', 'core', 'coding-agents', 'mcp'],
    types: ['wire/types'],
  },
  testing: {
    to: ['core', 'guard', 'policy', 'display', 'journal', 'gateway', 'stores', 'people', 'agents', 'client'],
  },
}

/** What crosses a process line is described by schemas, wherever that is. */
const IN_EVERY_ROOM = new Set(['zod'])

describe('the arrows of the setup', () => {
  it('only known rooms exist, and every import follows an arrow', () => {
    expect(productSources().flatMap(forbiddenImports)).toEqual([])
  })

  it('each library of others appears in one room', () => {
    expect(scatteredLibraries(productSources())).toEqual([])
  })

  it('pure rooms read neither clock, random numbers, environment nor disk', () => {
    expect(productSources().flatMap(impureReads)).toEqual([])
  })
})

describe('this test goes red', () => {
  const file = (path: string, text: string): SourceFile => ({ path, text })
  it.each([
    ['src/core/a.ts', "import { x } from '../policy/x.ts'"],
    ['src/core/a.ts', "import type { X } from '../policy/x.ts'"],
    ['src/core/a.ts', "export { x } from '../journal/x.ts'"],
    ['src/core/a.ts', "export type * from '../journal/x.ts'"],
    ['src/core/a.ts', "const x = await import('../stores/store.ts')"],
    ['src/core/a.ts', "type X = import('../stores/store.ts').Store"],
    ['src/core/a.ts', "import { readFileSync } from 'node:fs'"],
    ['src/gateway/a.ts', "import { openStore } from '../stores/sqlite/store.ts'"],
    ['src/gateway/a.ts', "import { serve } from '../http/app.ts'"],
    ['src/stores/sqlite/store.ts', "import { x } from '../memory/store.ts'"],
    ['src/stores/sqlite/store.ts', "import { x } from '../../gateway/gateway.ts'"],
    ['src/people/inbox/inbox.ts', "import { x } from '../feishu/card.ts'"],
    ['src/agents/loop/a.ts', "import { review } from '../../gateway/review.ts'"],
    ['src/agents/sessions/a.ts', "import type { LoopParts } from '../loop/turn-state.ts'"],
    ['src/agents/sessions/a.ts', "import type { Tool } from '../tools/tool.ts'"],
    ['src/agents/loop/a.ts', "import { banksman } from '../../adapters/claude-agent-sdk/banksman.ts'"],
    ['src/agents/claude/a.ts', "import { guardTools } from '../../adapters/ai-sdk/guard-tools.ts'"],
    ['src/client/client.ts', "import { digestOf } from '../core/digest.ts'"],
    ['src/client/client.ts', "import { createHash } from 'node:crypto'"],
    ['src/display/a.ts', "import { hash } from 'node:crypto'"],
    ['src/adapters/ai-sdk/a.ts', "import { x } from '../langchain/x.ts'"],
    ['src/adapters/a.ts', "import { x } from './langchain/x.ts'"],
    ['src/adapters/ai-sdk/a.ts', "import { prepareCall } from '../../core/call.ts'"],
    ['src/adapters/ai-sdk/a.ts', "import type { Gateway } from '../../gateway/gateway.ts'"],
    ['src/adapters/ai-sdk/a.ts', "import { randomUUID } from 'node:crypto'"],
    ['src/http/app.ts', "import { createMemoryStore } from '../stores/memory/store.ts'"],
    ['src/cli/start.ts', "import { review } from '../gateway/review.ts'"],
    [
      'src/coding-agents/codex/a.ts',
      "import { guardedCall } from '../../adapters/claude-agent-sdk/questions.ts'",
    ],
    ['src/coding-agents/agents.ts', "import { readFileSync } from 'node:fs'"],
    ['src/gateway/a.ts', "import { codex } from '../coding-agents/codex/index.ts'"],
    ['src/utils/a.ts', 'export const x = 1'],
    ['src/core/a.ts', "import { x } from '../../test/x.ts'"],
    ['src/core/a.ts', "import { x } from './fixtures/x.ts'"],
    ['src/core/a.ts', "import manifest from '../../package.json'"],
    ['src/stores/store.ts', "import { x } from './sqlite/store.ts'"],
    ['src/stores/sqlite/a.ts', "createRequire(import.meta.url)('../memory/store.ts')"],
  ])('on %s with %s', (path, text) => {
    expect(forbiddenImports(file(path, text))).toHaveLength(1)
  })

  it.each([
    ['src/agents/loop/a.ts', "import type { Gateway } from '../../gateway/gateway.ts'"],
    ['src/client/client.ts', "import { type Request } from '../core/request.ts'"],
    ['src/agents/loop/a.ts', "import type { Engine } from '../sessions/engine.ts'"],
    ['src/agents/claude/a.ts', "import { banksman } from '../../adapters/claude-agent-sdk/banksman.ts'"],
    ['src/stores/sqlite/a.ts', "import type { Store } from '../store.ts'"],
    ['src/stores/sqlite/a.ts', "import { x } from './statements/x.ts'"],
    ['src/stores/sqlite/a.ts', "import { DatabaseSync } from 'node:sqlite'"],
    ['src/gateway/a.ts', "import type { Channel } from '../people/channel.ts'"],
    ['src/core/a.ts', "// import { x } from '../policy/x.ts'"],
  ])('but not on %s with %s', (path, text) => {
    expect(forbiddenImports(file(path, text))).toEqual([])
  })

  it('on a library in two rooms, and says which', () => {
    const sources = [
      file('src/http/a.ts', "import { Hono } from 'hono/tiny'"),
      file('src/server/a.ts', "import type { Hono } from 'hono'"),
      file('src/http/b.ts', "import { z } from 'zod'"),
      file('src/server/b.ts', "import { z } from 'zod'"),
    ]
    expect(scatteredLibraries(sources)).toEqual([
      'hono is in several rooms: src/http/a.ts:1, src/server/a.ts:1',
    ])
  })

  it.each([
    'Date.now()',
    'new Date()',
    'Date()',
    'Math.random()',
    'process.env.HOME',
    'globalThis.process.cwd()',
    'setTimeout(() => {}, 1)',
    'setInterval(() => {}, 1)',
    'queueMicrotask(() => performance.now())',
    'crypto.randomUUID()',
    "import { randomBytes } from 'node:crypto'",
    "import { generateKeyPairSync } from 'node:crypto'",
  ])('on %s in a pure room', (text) => {
    expect(impureReads(file('src/gateway/a.ts', text))).toHaveLength(1)
    expect(impureReads(file('src/server/a.ts', text))).toEqual([])
  })

  it.each([
    'new Date(5)',
    'clock.now()',
    'call.process',
    '// Date.now()',
    "'Math.random()'",
    'Date.parse(text)',
  ])('but not on %s', (text) => expect(impureReads(file('src/core/a.ts', text))).toEqual([]))
})

function forbiddenImports(source: SourceFile): string[] {
  const room = roomOf(source.path)
  const rules = Object.hasOwn(ROOMS, room) ? ROOMS[room] : undefined
  if (rules === undefined)
    return [`${source.path}: there is no room "${room}"; there are ${Object.keys(ROOMS).join(', ')}`]
  return importsOf(source).flatMap(({ from, typeOnly, line }) => {
    const fault = from.startsWith('.')
      ? localFault(source.path, rules, posix.join(posix.dirname(source.path), from), typeOnly)
      : from.startsWith('node:') && rules.node?.includes(from) === false
        ? `${room} may import ${rules.node.join(', ') || 'nothing'} of Node`
        : undefined
    return fault === undefined ? [] : [`${source.path}:${line} imports ${from}: ${fault}`]
  })
}

function localFault(path: string, rules: Room, target: string, typeOnly: boolean): string | undefined {
  const [room, targetRoom] = [roomOf(path), roomOf(target)]
  // The version is written there, and it is published beside what is built.
  if (target === 'package.json' && rules.to.includes('*')) return undefined
  if (!target.startsWith('src/')) return 'it is outside of src'
  if (isForTests(target)) return 'it is there for tests only'
  if (targetRoom === room) {
    const [folder, targetFolder] = [path.split('/')[2], target.split('/')[2] ?? '']
    const below = rules.folders?.[folder ?? '']
    if (below !== undefined && folder !== targetFolder && !below.includes(targetFolder))
      return `${room}/${folder} → ${below.join(', ') || 'nothing'} in ${room}`
    const known = rules.apart !== true || folder === targetFolder || targetFolder.endsWith('.ts')
    return known ? undefined : `the folders of ${room} know nothing of each other`
  }
  const allows = (list: string[] = []) =>
    list.some(
      (to) => to === '*' || to === targetRoom || `src/${to}` === target || target.startsWith(`src/${to}/`),
    )
  const more = rules.more?.[path.split('/')[2] ?? '']
  if (allows(rules.to) || allows(more) || (typeOnly && allows(rules.types))) return undefined
  const types = rules.types === undefined ? '' : `; types only: ${rules.types.join(', ')}`
  return `${room} → ${rules.to.join(', ') || 'nothing'}${types}`
}

function scatteredLibraries(sources: SourceFile[]): string[] {
  const places = new Map<string, { room: string; place: string }[]>()
  for (const source of sources) {
    for (const { from, line } of importsOf(source)) {
      if (from.startsWith('.') || from.startsWith('node:')) continue
      const library = from.split('/', from.startsWith('@') ? 2 : 1).join('/')
      const found = { room: roomOf(source.path), place: `${source.path}:${line}` }
      if (!IN_EVERY_ROOM.has(library)) places.set(library, [...(places.get(library) ?? []), found])
    }
  }
  return [...places].flatMap(([library, found]) => {
    if (new Set(found.map(({ room }) => room)).size < 2) return []
    return [`${library} is in several rooms: ${found.map(({ place }) => place).join(', ')}`]
  })
}

function impureReads(source: SourceFile): string[] {
  if (ROOMS[roomOf(source.path)]?.pure !== true) return []
  const found = importsOf(source)
    .filter(
      ({ from, names }) => from === 'node:crypto' && names.some((name) => /^(random|generate|\*)/.test(name)),
    )
    .map(({ line }) => `${source.path}:${line} imports randomness of node:crypto`)
  walk(source, (node) => {
    const impure = impurity(node)
    if (impure !== undefined)
      found.push(`${source.path}:${lineAt(source.text, node.start)} uses ${impure}: it must be given it`)
  })
  return found
}

const IMPURE_CALLS = ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'fetch']
const IMPURE_OBJECTS = ['process', 'performance', 'crypto', 'globalThis']

function impurity(node: Record<string, unknown>): string | undefined {
  const name = (value: unknown) => (value as { name?: string } | undefined)?.name ?? ''
  if (node.type === 'CallExpression' && IMPURE_CALLS.includes(name(node.callee)))
    return `${name(node.callee)}()`
  if (node.type === 'NewExpression' && name(node.callee) === 'Date') {
    return (node.arguments as unknown[]).length === 0 ? 'new Date()' : undefined
  }
  if (node.type !== 'MemberExpression') return undefined
  const [object, property] = [name(node.object), name(node.property)]
  if (IMPURE_OBJECTS.includes(object)) return `${object}.${property}`
  return ['Date.now', 'Math.random'].find((member) => member === `${object}.${property}`)
}

/** `src/core/call.ts` is in `core`, `src/index.ts` is a room of its own. */
function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}
