/**
 * One request changes, and a thousand people listen to the events over HTTP: what that costs the store and the server, and
 * how long it takes until the last of them has it. The listeners are other processes, one a language; the server is this one,
 * on SQLite, with its reads and renderings counted.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolCall } from '../../src/core/call.ts'
import type { Actor } from '../../src/core/session.ts'
import { createHttpApp } from '../../src/http/app.ts'
import { startHttpServer } from '../../src/http/connection/start-http-server.ts'
import { composeEmbedded } from '../../src/server/composition/compose-embedded.ts'
import { hostClock } from '../../src/server/host/host.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'
import { countVerbs } from '../../test/fixtures/counting-store.ts'
import { agent, benchFolder, nextCall } from '../bench-gateway.ts'
import { type Figure, figure, processorMs } from '../measure.ts'

const LISTENERS = 1000
const LANGUAGES = ['en', 'zh']
/** Just below where events cut arguments short. */
const LONG_CHARACTERS = 60_000

const ana: Actor = { subject: 'ana', role: 'admin', via: 'bench' }

/** What one change cost. */
interface ChangeCost {
  reads: number
  feedReads: number
  renderings: number
  lastMs: number
  processorMs: number
}

export async function benchListeners(rounds: number): Promise<Figure[]> {
  const folder = benchFolder()
  const children: ChildProcess[] = []
  const { wrap, counts } = countVerbs()
  const store = wrap(openSqliteStore({ path: join(folder, 'bench.db') }))
  const gateway = await composeEmbedded({ store, policy: {}, owner: 'ana' })
  let renderings = 0
  const hosts: string[] = []
  const app = createHttpApp({
    gateway: {
      ...gateway,
      knownTool(call) {
        renderings++
        return gateway.knownTool(call)
      },
    },
    allowedHosts: hosts,
    clock: hostClock,
    version: 'bench',
    settings: { connectionsPerToken: LISTENERS },
  })
  const server = await startHttpServer(app, { host: '127.0.0.1', port: 0 })
  try {
    hosts.push(`127.0.0.1:${server.address.port}`)
    const { secret } = await gateway.tokens.create({ role: 'approver', subject: 'ana' }, ana)
    const ready = LANGUAGES.map((language) => {
      const each = [server.address.url, secret, language, String(LISTENERS / LANGUAGES.length)]
      const child = fork(join(import.meta.dirname, 'listeners-child.ts'), each)
      children.push(child)
      return told(child, () => true)
    })
    await Promise.all(ready)

    async function change(call: ToolCall): Promise<ChangeCost> {
      counts.clear()
      renderings = 0
      let lastMs = 0
      const used = await processorMs(async () => {
        const startedAt = process.hrtime.bigint()
        const heard = children.map((child) => told(child, ({ callId }) => callId === call.callId))
        await gateway.review(call, agent)
        const last = (await Promise.all(heard)).map(({ at }) => Number(BigInt(at) - startedAt) / 1e6)
        lastMs = Math.max(...last)
      })
      const reads = ['get', 'list', 'sessions.get', 'sessions.getAll', 'sessions.family']
      return {
        reads: reads.reduce((sum, path) => sum + counts.of(path), 0),
        feedReads: counts.of('journal.feed'),
        renderings,
        lastMs,
        processorMs: used,
      }
    }

    await change(nextCall())
    const small: ChangeCost[] = []
    const large: ChangeCost[] = []
    for (let round = 0; round < rounds; round++) {
      small.push(await change(nextCall()))
      const call = nextCall()
      large.push(
        await change({ ...call, arguments: { ...call.arguments, text: 'x'.repeat(LONG_CHARACTERS) } }),
      )
    }
    const figures = (name: string, unit: string, member: keyof ChangeCost) => [
      figure(
        name,
        unit,
        small.map((cost) => cost[member]),
      ),
      figure(
        `${name}, 60 kB of arguments`,
        unit,
        large.map((cost) => cost[member]),
      ),
    ]
    return [
      ...figures(`reads of requests and sessions for ${LISTENERS} listeners`, '', 'reads'),
      ...figures('pages of the feed read', '', 'feedReads'),
      ...figures(`renderings for ${LANGUAGES.length} languages`, '', 'renderings'),
      ...figures('until the last listener has it', 'ms', 'lastMs'),
      ...figures("of the server's processor time", 'ms', 'processorMs'),
    ]
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await server.close()
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface ChildMessage {
  callId: string
  /** When all listeners of the child had it, by the machine's monotonic clock. */
  at: string
}

function told(child: ChildProcess, isWanted: (message: ChildMessage) => boolean): Promise<ChildMessage> {
  return new Promise((resolve, reject) => {
    const onEnd = () => reject(new Error('the listeners ended'))
    child.once('close', onEnd)
    child.on('message', function hear(message: ChildMessage) {
      if (!isWanted(message)) return
      child.off('message', hear).off('close', onEnd)
      resolve(message)
    })
  })
}
