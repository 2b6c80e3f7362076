/**
 * A conversation with an approval over server-sent events and POST: the person says something and gets a stream, the agent
 * wants to call a tool, the person hears of it on the stream and approves by another request, the tool runs, the agent says
 * what came of it, and the stream ends. The client is this process, the server another one, on SQLite with every commit
 * synced. Each conversation is a new session, and its latency is that of the whole: from the first word to `COMPLETED`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { benchFolder, inFlight } from '../bench-gateway.ts'
import { type Figure, figure, interleave, percentile, perSecond } from '../measure.ts'

const SIZES = [
  { width: 1, count: 200 },
  { width: 16, count: 1000 },
]
const WARM_UP = 200
const START_WITHIN_MS = 30_000
/** Nothing here takes nearly as long; whoever hangs ends the run. */
const ANSWER_WITHIN_MS = 30_000
const PREFIX = '/api/agent/chat/react-plus'

interface Target {
  url: string
  token: string
}

interface Latencies {
  /** From the first word to the end. */
  whole: number[]
  /** From the person's answer to the tool's result. */
  answered: number[]
}

export async function benchChat(rounds: number): Promise<Figure[]> {
  const folder = benchFolder()
  const children: ChildProcess[] = []
  const connections = new Agent({ keepAlive: true, maxSockets: 256 })
  try {
    const target = await start(folder, children)
    let sessions = 0
    const run = (width: number, count: number, latencies: Latencies) =>
      inFlight(width, count, () => converse(connections, target, `s${sessions++}`, latencies))
    await run(SIZES.at(-1)!.width, WARM_UP, { whole: [], answered: [] })
    const tables = SIZES.map(() => ({ p50: [], p99: [], answered50: [], answered99: [] }) as Table)
    const rates = await interleave(
      SIZES.map(({ width, count }, index) => ({
        name: `${conversations(width)} at once`,
        unit: '/s',
        async run() {
          const latencies: Latencies = { whole: [], answered: [] }
          const rate = await perSecond(count, () => run(width, count, latencies))
          note(tables[index]!, latencies)
          return rate
        },
      })),
      rounds,
    )
    return rates.flatMap((rate, index) => {
      const { p50, p99, answered50, answered99 } = tables[index]!
      return [
        figure(`${rate.name}, an approval each`, rate.unit, rate.rounds),
        figure(`${rate.name}, the whole, median`, 'ms', p50),
        figure(`${rate.name}, the whole, 99th percentile`, 'ms', p99),
        figure(`${rate.name}, answer to tool result, median`, 'ms', answered50),
        figure(`${rate.name}, answer to tool result, 99th percentile`, 'ms', answered99),
      ]
    })
  } finally {
    connections.destroy()
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A figure for each round. */
type Table = Record<'p50' | 'p99' | 'answered50' | 'answered99', number[]>

function note(table: Table, { whole, answered }: Latencies): void {
  table.p50.push(percentile(whole, 0.5))
  table.p99.push(percentile(whole, 0.99))
  table.answered50.push(percentile(answered, 0.5))
  table.answered99.push(percentile(answered, 0.99))
}

function conversations(width: number): string {
  return `${width} conversation${width === 1 ? '' : 's'}`
}

function start(folder: string, children: ChildProcess[]): Promise<Target> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'chat-child.ts'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the server does not start')), START_WITHIN_MS)
    createInterface({ input: child.stdout! }).once('line', (line) => {
      clearTimeout(timer)
      resolve(JSON.parse(line) as Target)
    })
    child.once('close', () => reject(new Error('the server ended')))
  })
}

/** One conversation. Of all that must happen in it, nothing may be missing. */
async function converse(
  connections: Agent,
  target: Target,
  sessionId: string,
  latencies: Latencies,
): Promise<void> {
  const startedAt = performance.now()
  let answeredAt = 0
  let answering: Promise<void> | undefined
  const seen: string[] = []
  const response = await post(connections, target, 'stream', { sessionId, message: 'weather' })
  for await (const line of createInterface({ input: response })) {
    if (!line.startsWith('data:')) continue
    const { type, data } = JSON.parse(line.slice('data:'.length))
    seen.push(type)
    if (type === 'TOOL_APPROVAL') {
      answeredAt = performance.now()
      answering = approve(connections, target, { sessionId, requestId: data.requestId })
      // It is waited for below; until then nobody would hear of a refusal.
      answering.catch(() => {})
    } else if (type === 'TOOL') latencies.answered.push(performance.now() - answeredAt)
    else if (type === 'COMPLETED') latencies.whole.push(performance.now() - startedAt)
  }
  await answering
  const missing = ['TOOL_APPROVAL', 'TOOL', 'COMPLETED'].filter((type) => !seen.includes(type))
  if (missing.length > 0)
    throw new Error(`a conversation went without ${missing.join(', ')}: ${seen.join(', ')}`)
}

async function approve(connections: Agent, target: Target, answer: object): Promise<void> {
  const body = { ...answer, selectedOptionId: 'approve' }
  const response = await post(connections, target, 'interaction_response', body)
  let text = ''
  for await (const part of response) text += part
  const { success, message } = JSON.parse(text)
  if (success !== true) throw new Error(`an answer was refused: ${message}`)
}

function post(
  connections: Agent,
  { url, token }: Target,
  path: string,
  body: object,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    const options = { method: 'POST', agent: connections, headers, timeout: ANSWER_WITHIN_MS }
    const outgoing = httpRequest(`${url}${PREFIX}/${path}`, options, (response) => {
      if (response.statusCode === 200) resolve(response)
      else {
        response.resume()
        reject(new Error(`${path} answered ${response.statusCode}`))
      }
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${path}: nothing came for too long`)))
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}
