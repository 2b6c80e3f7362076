/**
 * An approval over HTTP and server-sent events: the agent's call waits, the person hears of it on the stream and decides,
 * the call's answer comes back. The client is this process, the server another one; beside it a bare `node:http` server
 * that does the same exchange and keeps nothing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { benchFolder, inFlight, nextCall } from '../bench-gateway.ts'
import { type Figure, figure, interleave, percentile, perSecond, ratio } from '../measure.ts'

const COUNT = 400
const MANY = 4000
const WIDTH = 64

interface Target {
  url: string
  agent: string
  person: string
}

export async function benchHttp(rounds: number): Promise<Figure[]> {
  const folder = benchFolder()
  const children: ChildProcess[] = []
  const connections = new Agent({ keepAlive: true, maxSockets: 256 })
  try {
    const exchanges = []
    for (const kind of ['bare', 'banksman']) {
      const target = await start(kind, folder, children)
      await answerEverything(target, connections)
      exchanges.push({
        kind,
        approve: () => post(connections, target.url, '/v1/calls?hold=60s', target.agent, nextCall()),
      })
    }
    for (const { approve } of exchanges) await inFlight(8, 200, approve)
    const latencies: Record<string, number[]> = { bare: [], banksman: [] }
    const contestants = exchanges.flatMap(({ kind, approve }) => [
      {
        name: `${kind === 'bare' ? 'bare node:http' : 'Banksman on SQLite FULL'}, one at a time`,
        unit: '/s',
        run: () =>
          perSecond(COUNT, () =>
            inFlight(1, COUNT, async () => {
              const startedAt = performance.now()
              await approve()
              latencies[kind]!.push(performance.now() - startedAt)
            }),
          ),
      },
      {
        name: `${kind === 'bare' ? 'bare node:http' : 'Banksman on SQLite FULL'}, ${WIDTH} in flight`,
        unit: '/s',
        run: () => perSecond(MANY, () => inFlight(WIDTH, MANY, approve)),
      },
    ])
    const figures = await interleave(contestants, rounds)
    return [
      ...figures,
      ratio('Banksman / bare, one at a time', figures[2]!, figures[0]!),
      ratio(`Banksman / bare, ${WIDTH} in flight`, figures[3]!, figures[1]!),
      figure('Banksman, one at a time, median latency', 'ms', [percentile(latencies.banksman!, 0.5)]),
      figure('Banksman, one at a time, 99th percentile', 'ms', [percentile(latencies.banksman!, 0.99)]),
    ]
  } finally {
    connections.destroy()
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

export function start(kind: string, folder: string, children: ChildProcess[]): Promise<Target> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'http-child.ts'), kind, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', (line) => resolve(JSON.parse(line) as Target))
    child.once('close', () => reject(new Error(`the ${kind} server ended`)))
  })
}

/** The person: approves whatever appears on the stream. */
function answerEverything({ url, person }: Target, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = httpRequest(
      `${url}/v1/events`,
      { headers: { authorization: `Bearer ${person}` } },
      (response) => {
        if (response.statusCode !== 200)
          return reject(new Error(`the stream answered ${response.statusCode}`))
        resolve()
        response.on('error', () => {})
        const lines = createInterface({ input: response })
        lines.on('error', () => {})
        lines.on('line', (line) => {
          if (!line.startsWith('data: ')) return
          const { type, request } = JSON.parse(line.slice(6))
          if (type !== 'request' || request.state !== 'pending') return
          const decision = { decision: 'approve', digest: request.digest }
          post(agent, url, `/v1/requests/${request.id}/decisions`, person, decision).catch(reject)
        })
      },
    )
    stream.on('error', () => {})
    stream.end()
  })
}

export function post(agent: Agent, url: string, path: string, token: string, body: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    const outgoing = httpRequest(`${url}${path}`, { method: 'POST', agent, headers }, (response) => {
      let answer = ''
      response.on('data', (part) => {
        answer += part
      })
      response.on('end', () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${path}: ${response.statusCode} ${answer}`)),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}
