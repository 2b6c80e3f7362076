/** `banksman mcp` as a real process, in front of the scripted server, with the test as its client. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROGRAM_WORDS } from '../../src/cli/fixtures/program.ts'

const SCRIPTED = fileURLToPath(new URL('./scripted-server.ts', import.meta.url))

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape.
export type Any = any

export interface ProxyOptions {
  name?: string
  /** In place of the scripted server's command. */
  command?: string[]
  /** An address in place of a command. */
  url?: string
  words?: string[]
  environment: Record<string, string>
  cwd?: string
  folder?: ServerFolder
  /** The server itself, without us: to compare with. */
  isDirect?: boolean
}

export interface ServerFolder {
  readonly path: string
  /** What the scripted server got, as bytes. */
  got(): Buffer
  /** Of the scripted server that was started last. */
  pid(): number
  /** What it has run: one line each. */
  effects(): string[]
  /** Pages of its list, as JSON. */
  setPages(...pages: object[][]): void
  setRawPages(...pages: string[]): void
  file(name: string, text: string): void
  remove(): void
}

export function makeServerFolder(): ServerFolder {
  const path = mkdtempSync(join(tmpdir(), 'banksman-mcp-'))
  const read = (name: string) =>
    existsSync(join(path, name)) ? readFileSync(join(path, name)) : Buffer.alloc(0)
  const file = (name: string, text: string) => writeFileSync(join(path, name), text)
  return {
    path,
    got: () => read('got'),
    pid: () => Number(read('pid').toString()),
    effects: () => read('effects').toString().split('\n').filter(Boolean),
    setPages: (...pages) => file('pages.json', JSON.stringify(pages.map((page) => JSON.stringify(page)))),
    setRawPages: (...pages) => file('pages.json', JSON.stringify(pages)),
    file,
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

export interface McpProxy {
  readonly folder: ServerFolder
  readonly pid: number
  /** A line as it is, or a message. */
  send(message: string | Buffer | object): void
  notify(method: string, params: object): void
  /** Sends a request and gives its answer. */
  request(method: string, params: object, id?: number | string): Promise<Any>
  /** Begins a call; the answer is found by its id. */
  call(tool: string, args?: object, more?: object): { id: number; answer: Promise<Any> }
  answer(id: number | string): Promise<Any>
  /** All that came so far. */
  messages(): Any[]
  /** As bytes. */
  output(): Buffer
  outputLength(): number
  errors(): string
  pause(): void
  resume(): void
  closeInput(): void
  signal(signal: NodeJS.Signals): void
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Ends it, whatever it does. */
  stop(): Promise<void>
}

let ids = 0

/** Whatever has not come by then is not going to. */
const ANSWER_WITHIN_MS = 60_000

export function startProxy(options: ProxyOptions): McpProxy {
  const folder = options.folder ?? makeServerFolder()
  const command = options.command ?? [process.execPath, SCRIPTED, folder.path]
  const target = options.url === undefined ? ['--', ...command] : ['--url', options.url]
  const words = ['mcp', '--name', options.name ?? 't', ...(options.words ?? []), ...target]
  const ours = [process.execPath, ...PROGRAM_WORDS, ...words]
  const [program, ...rest] = options.isDirect === true ? command : ours
  const child = spawn(program!, rest, {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...options.environment,
    },
    cwd: options.cwd ?? folder.path,
    stdio: 'pipe',
  })
  let chunks: Buffer[] = []
  let outputBytes = 0
  let errors = ''
  /** What was parsed of the output so far. */
  const seen: Any[] = []
  const answers = new Map<unknown, Any>()
  const waiting = new Map<unknown, { resolve(answer: Any): void; reject(error: Error): void }[]>()
  let parts: Buffer[] = []
  const take = (message: Any) => {
    seen.push(message)
    const { id, method } = message
    if (id === undefined || method !== undefined || answers.has(id)) return
    answers.set(id, message)
    for (const { resolve } of waiting.get(id) ?? []) resolve(message)
    waiting.delete(id)
  }
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    outputBytes += chunk.length
    let rest = chunk
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      take(JSON.parse(Buffer.concat([...parts, rest.subarray(0, end)]).toString()))
      parts = []
      rest = rest.subarray(end + 1)
    }
    if (rest.length > 0) parts.push(rest)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }))
  let isOver = false
  void ended.then(() => {
    isOver = true
    for (const [id, those] of waiting) for (const { reject } of those) reject(endedBefore(id))
    waiting.clear()
  })

  const send = (message: string | Buffer | object) => {
    const isRaw = typeof message === 'string' || Buffer.isBuffer(message)
    child.stdin.write(isRaw ? message : `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  const endedBefore = (id: unknown) => new Error(`the proxy ended before it answered ${id}: ${errors}`)
  const answer = async (id: number | string) => {
    if (answers.has(id)) return answers.get(id)
    if (isOver) throw endedBefore(id)
    const { promise, resolve, reject } = Promise.withResolvers<Any>()
    waiting.set(id, [...(waiting.get(id) ?? []), { resolve, reject }])
    const late = () =>
      reject(new Error(`not within a minute: the answer to ${id}; standard error: ${errors}`))
    const timer = setTimeout(late, ANSWER_WITHIN_MS)
    return promise.finally(() => clearTimeout(timer))
  }
  const request = (method: string, params: object, id: number | string = ++ids) => {
    send({ id, method, params })
    return answer(id)
  }

  return {
    folder,
    pid: child.pid!,
    send,
    notify: (method, params) => send({ method, params }),
    request,
    call(tool, args, more = {}) {
      const id = ++ids
      const params = { name: tool, ...(args === undefined ? {} : { arguments: args }), ...more }
      const answered = request('tools/call', params, id)
      answered.catch(() => {})
      return { id, answer: answered }
    },
    answer,
    messages: () => seen,
    output: () => {
      if (chunks.length !== 1) chunks = [Buffer.concat(chunks)]
      return chunks[0]!
    },
    outputLength: () => outputBytes,
    errors: () => errors,
    pause: () => void child.stdout.pause(),
    resume: () => void child.stdout.resume(),
    closeInput: () => void child.stdin.end(),
    signal: (signal) => void child.kill(signal),
    ended,
    async stop() {
      child.stdin.end()
      if (!isOver) child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(timer)
      if (options.folder === undefined) folder.remove()
    },
  }
}

export function textOf(answer: Any): string {
  return (
    (answer.result?.content ?? []).map((one: Any) => one.text).join('\n') || (answer.error?.message ?? '')
  )
}
