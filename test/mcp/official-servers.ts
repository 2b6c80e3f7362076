/** The official MCP servers as commands, and a conversation with each that uses every method it has. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../fixtures/until.ts'
import type { Any, McpProxy } from './proxy-driver.ts'

export type OfficialName = 'everything' | 'filesystem' | 'memory' | 'sequential-thinking'
export const OFFICIAL: readonly OfficialName[] = ['everything', 'filesystem', 'memory', 'sequential-thinking']

export interface OfficialServer {
  command: string[]
  /** Without what the server needs to start, such as its folder, in the environment. */
  environment: Record<string, string>
  folder: string
  remove(): void
}

export function officialServer(name: OfficialName): OfficialServer {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-official-'))
  const files = join(folder, 'files')
  mkdirSync(files)
  writeFileSync(join(files, 'a.txt'), 'one\ntwo\nthree ☃\n')
  const program = fileURLToPath(
    new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url),
  )
  return {
    command: [process.execPath, program, ...(name === 'filesystem' ? [files] : [])],
    environment: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    folder: files,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const tool = (name: string, args: object = {}): [string, object] => ['tools/call', { name, arguments: args }]

/** In order; `{files}` stands for the folder. */
export const CONVERSATIONS: Record<OfficialName, [string, object][]> = {
  everything: [
    ['ping', {}],
    ['tools/list', {}],
    ['prompts/list', {}],
    ['prompts/get', { name: 'simple-prompt' }],
    ['prompts/get', { name: 'args-prompt', arguments: { city: 'Ghent' } }],
    ['prompts/get', { name: 'nowhere' }],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'demo://resource/dynamic/text/1' }],
    ['resources/read', { uri: 'demo://nowhere' }],
    ['resources/subscribe', { uri: 'demo://resource/dynamic/text/1' }],
    ['resources/unsubscribe', { uri: 'demo://resource/dynamic/text/1' }],
    [
      'completion/complete',
      {
        ref: { type: 'ref/prompt', name: 'completable-prompt' },
        argument: { name: 'department', value: 'E' },
      },
    ],
    ['logging/setLevel', { level: 'error' }],
    ['server/discover', {}],
    ['no/such/method', { a: 1 }],
    tool('echo', { message: 'héllo \u2028 "x"' }),
    tool('get-sum', { a: 1.5, b: 2 }),
    tool('get-sum', { a: 'x' }),
    tool('get-tiny-image'),
    tool('get-structured-content', { location: 'New York' }),
    tool('get-annotated-message', { messageType: 'error', includeImage: true }),
    tool('get-resource-reference', { resourceType: 'Text', resourceId: 1 }),
    tool('get-resource-links', { count: 2 }),
    tool('trigger-long-running-operation', { duration: 0.1, steps: 2 }),
    tool('trigger-sampling-request', { prompt: 'x', maxTokens: 5 }),
    tool('trigger-elicitation-request'),
    tool('trigger-url-elicitation', { url: 'https://example.com/', elicitationId: 'e1' }),
    tool('trigger-url-elicitation', { url: 'https://example.com/', elicitationId: 'e2', errorPath: true }),
    tool('get-roots-list'),
    tool('get-env'),
    tool('gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,abc', outputType: 'resource' }),
    tool('gzip-file-as-resource', { name: 'b.gz', data: 'data:text/plain,abc' }),
    ['resources/read', { uri: 'demo://resource/session/b.gz' }],
    tool('toggle-simulated-logging'),
    tool('toggle-simulated-logging'),
    tool('toggle-subscriber-updates'),
    tool('toggle-subscriber-updates'),
    tool('no-such-tool'),
  ],
  filesystem: [
    ['tools/list', {}],
    tool('list_allowed_directories'),
    tool('read_text_file', { path: '{files}/a.txt' }),
    tool('read_text_file', { path: '{files}/a.txt', head: 1 }),
    tool('read_file', { path: '/etc/passwd' }),
    tool('read_media_file', { path: '{files}/a.txt' }),
    tool('read_multiple_files', { paths: ['{files}/a.txt', '{files}/none'] }),
    tool('write_file', { path: '{files}/b.txt', content: 'b\r\n' }),
    tool('edit_file', { path: '{files}/b.txt', edits: [{ oldText: 'b', newText: 'c' }] }),
    tool('create_directory', { path: '{files}/d' }),
    tool('move_file', { source: '{files}/b.txt', destination: '{files}/d/b.txt' }),
    tool('list_directory', { path: '{files}' }),
    tool('list_directory_with_sizes', { path: '{files}' }),
    tool('directory_tree', { path: '{files}' }),
    tool('search_files', { path: '{files}', pattern: '*.txt' }),
    tool('get_file_info', { path: '{files}/a.txt' }),
    ['prompts/list', {}],
    ['server/discover', {}],
  ],
  memory: [
    ['tools/list', {}],
    tool('create_entities', {
      entities: [
        { name: 'Ada', entityType: 'person', observations: ['é'] },
        { name: 'B', entityType: 'x', observations: [] },
      ],
    }),
    tool('create_relations', { relations: [{ from: 'Ada', to: 'B', relationType: 'knows' }] }),
    tool('add_observations', { observations: [{ entityName: 'Ada', contents: ['x'] }] }),
    tool('read_graph'),
    tool('search_nodes', { query: 'Ada' }),
    tool('open_nodes', { names: ['B'] }),
    tool('delete_observations', { deletions: [{ entityName: 'Ada', observations: ['x'] }] }),
    tool('delete_relations', { relations: [{ from: 'Ada', to: 'B', relationType: 'knows' }] }),
    tool('delete_entities', { entityNames: ['B'] }),
    tool('read_graph', {}),
    ['server/discover', {}],
  ],
  'sequential-thinking': [
    ['tools/list', {}],
    tool('sequentialthinking', { thought: 'a', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 }),
    tool('sequentialthinking', {
      thought: 'b',
      nextThoughtNeeded: false,
      thoughtNumber: 2,
      totalThoughts: 2,
    }),
    tool('sequentialthinking', { thought: 1 }),
  ],
}

const ANSWERS: Record<string, object> = {
  'roots/list': { roots: [] },
  'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'sampled' } },
  'elicitation/create': { action: 'decline' },
  ping: {},
}

/** Has the conversation, one message after the other, and gives the line of each answer, and what was asked of the client. */
export async function converse(
  name: OfficialName,
  server: McpProxy,
  files: string,
  protocolVersion = '2025-11-25',
): Promise<string[]> {
  const answered = new Set<string>()
  const answerQuestions = () => {
    for (const { id, method } of server.messages())
      if (id !== undefined && method !== undefined && !answered.has(JSON.stringify(id))) {
        answered.add(JSON.stringify(id))
        server.send({ id, result: ANSWERS[method] ?? {} })
      }
  }
  const ask = async (id: string, method: string, params: object) => {
    server.send({ id, method, params })
    await until(() => {
      answerQuestions()
      return server.messages().some((one: Any) => one.id === id && one.method === undefined)
    }, `${method} of ${name}: ${server.errors()}`)
  }
  await ask('init', 'initialize', {
    protocolVersion,
    capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } },
    clientInfo: { name: 'compared', version: '1' },
  })
  server.notify('notifications/initialized', {})
  // It asks by a timer of its own; afterwards its questions are in order.
  if (name === 'everything')
    await until(() => server.messages().some(({ method }: Any) => method === 'roots/list'))
  for (const [index, [method, params]] of CONVERSATIONS[name].entries())
    await ask(`q${index}`, method, JSON.parse(JSON.stringify(params).replaceAll('{files}', files)))
  return server
    .output()
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll(files, '{files}'))
    .toSorted()
}
