/**
 * An MCP server for tests, as a program. It writes down every byte that it gets, and does what its calls and the test's notifications
 * say. `node scripted-server.ts <folder>`; in the folder are `got` (its input), `effects` (one line a run) and `pages.json` (its tools).
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Message {
  id?: unknown
  method?: string
  params?: Record<string, unknown> & { name?: string; arguments?: Record<string, unknown> }
  result?: unknown
}

const folder = process.argv[2]!
const got = join(folder, 'got')
const effects = join(folder, 'effects')
const pagesFile = join(folder, 'pages.json')

const TOOLS = ['append', 'read', 'slow', 'answer', 'ask', 'env', 'secret', 'mute', 'input'].map((name) => ({
  name,
  description: `the tool ${name}`,
  inputSchema: { type: 'object' },
}))

/** Answers that wait for the test's word, by the text of their call. */
const held = new Map<string, () => void>()
const asked = new Map<unknown, (result: unknown) => void>()
let reads = true
writeFileSync(join(folder, 'pid'), String(process.pid))

const write = (text: string) => process.stdout.write(text)
const answer = (id: unknown, result: object) => write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
const say = (id: unknown, text: string) => answer(id, { content: [{ type: 'text', text }] })

function pages(): string[] {
  return existsSync(pagesFile)
    ? (JSON.parse(readFileSync(pagesFile, 'utf8')) as string[])
    : [JSON.stringify(TOOLS)]
}

/** As a test has it call itself. */
function calledItself(): string {
  const file = join(folder, 'server-name')
  return existsSync(file) ? readFileSync(file, 'utf8') : 'scripted'
}

function list(id: unknown, cursor: unknown): void {
  const all = pages()
  const page = cursor === undefined ? 0 : Number(cursor)
  const next = page + 1 < all.length ? `,"nextCursor":"${page + 1}"` : ''
  write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":${all[page]}${next}}}\n`)
}

function call(id: unknown, name: string, params: Record<string, unknown>): void {
  const args = (params.arguments ?? {}) as Record<string, unknown>
  appendFileSync(effects, `${name} ${JSON.stringify(args)}\n`)
  switch (name) {
    case 'input': {
      const { requestState, inputResponses } = params
      if (requestState === undefined)
        answer(id, {
          resultType: 'input_required',
          inputRequests: { ok: { method: 'elicitation/create', params: { message: 'sure?' } } },
          requestState: 'of the server',
        })
      else say(id, JSON.stringify({ requestState, inputResponses }))
      break
    }
    case 'slow':
      held.set(String(args.key), () => say(id, `slow ${args.key}`))
      break
    case 'answer':
      say(id, 'x'.repeat(Number(args.bytes)))
      break
    case 'ask':
      // Its own ids are the client's too: the two directions count for themselves.
      asked.set(id, (result) => say(id, JSON.stringify(result)))
      write(`${JSON.stringify({ jsonrpc: '2.0', id, method: args.method, params: {} })}\n`)
      break
    case 'env':
      say(id, JSON.stringify(process.env))
      break
    case 'mute':
      break
    default:
      say(id, `${name} done`)
  }
}

function take({ id, method, params = {}, result }: Message): void {
  switch (method) {
    case undefined:
      asked.get(id)?.(result)
      break
    case 'initialize':
      answer(id, {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: calledItself(), version: '1' },
      })
      break
    case 'tools/list':
      if (!existsSync(join(folder, 'list-never'))) list(id, params.cursor)
      break
    case 'tools/call':
      call(id, params.name!, params)
      break
    case 'test/release':
      held.get(String(params.key))?.()
      break
    case 'test/print':
      write(String(params.text))
      break
    case 'test/flood':
      say(params.id, 'x'.repeat(Number(params.bytes)))
      break
    case 'test/exit':
      // What it has printed is read before it ends.
      process.stdout.write('', () => process.exit(Number(params.code)))
      break
    case 'test/kill':
      process.kill(process.pid, 'SIGKILL')
      break
    case 'test/stop-reading':
      reads = false
      process.stdin.pause()
      // Without its input nothing else keeps it alive.
      setInterval(() => {}, 1 << 30)
      break
    default:
      if (id !== undefined) answer(id, { echo: method })
  }
}

/** Long lines come in many chunks. */
let parts: string[] = []
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk: string) => {
  appendFileSync(got, chunk)
  const lines = chunk.split('\n')
  for (const [index, line] of lines.entries()) {
    parts.push(line)
    if (index === lines.length - 1) break
    const whole = parts.join('')
    parts = []
    try {
      take(JSON.parse(whole) as Message)
    } catch (error) {
      process.stderr.write(`not read: ${String(error)}\n`)
    }
    if (!reads) return
  }
})
process.on('SIGTERM', () => {
  appendFileSync(effects, 'SIGTERM\n')
  process.exit(0)
})
