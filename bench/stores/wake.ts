/**
 * A decision on one node wakes the waiter on another: two processes on one store. Beside it, in the same rounds, what
 * the store itself needs: its compare-and-set, and its notification from one process to the other.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openGateway } from '../../src/index.ts'
import type { Store } from '../../src/stores/store.ts'
import { requestDraft, sessionDraft } from '../../src/testing/store/drafts.ts'
import { people } from '../bench-gateway.ts'
import { type Figure, figure, percentile } from '../measure.ts'
import { createNotifier } from './notifier.ts'
import type { SharedServer } from './servers.ts'

const EACH = 400

export async function benchWake(server: SharedServer, rounds: number): Promise<Figure[]> {
  const place = 'bench_wake'
  const bare = await server.open(`${place}_bare`)
  const gateway = await openGateway({ store: await server.open(place), policy: {}, owner: 'ana' })
  const notifier = await createNotifier(server.kind, server.url)
  const other = startOther(server, place)
  try {
    await other.ready
    const wake: number[] = []
    const wakeLate: number[] = []
    const wakeUnseen: number[] = []
    const compareAndSet: number[] = []
    const notification: number[] = []
    const above: number[] = []
    const aboveUnseen: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const woken: number[] = []
      const wokenUnseen: number[] = []
      const set: number[] = []
      const notified: number[] = []
      for (let count = 0; count < EACH; count++) {
        set.push(await oneCompareAndSet(bare, round * EACH + count))
        const heard = other.next('heard')
        const sentAt = now()
        await notifier.send()
        notified.push(Number((await heard).at) - sentAt)
        const { id, digest } = await other.ask()
        // Who decides has looked at it first, as a rule; a program that was handed the id has not.
        const isSeen = count % 2 === 0
        if (isSeen) await gateway.get(String(id), people.ana)
        const awake = other.next('woke')
        const startedAt = now()
        await gateway.decide(String(id), { decision: 'approve', digest: String(digest) }, people.ana)
        const tookMs = Number((await awake).at) - startedAt
        if (isSeen) woken.push(tookMs)
        else wokenUnseen.push(tookMs)
      }
      // The first round warms up both processes and the server.
      if (round === 0) continue
      wake.push(percentile(woken, 0.5))
      wakeLate.push(percentile(woken, 0.99))
      compareAndSet.push(percentile(set, 0.5))
      notification.push(percentile(notified, 0.5))
      wakeUnseen.push(percentile(wokenUnseen, 0.5))
      const own = compareAndSet.at(-1)! + notification.at(-1)!
      above.push(wake.at(-1)! - own)
      aboveUnseen.push(wakeUnseen.at(-1)! - own)
    }
    const { name } = server
    return [
      figure(`${name}: its compare-and-set, p50`, 'ms', compareAndSet),
      figure(`${name}: its notification from process to process, p50`, 'ms', notification),
      figure(`${name}: a decision on node B wakes the waiter on node A, p50`, 'ms', wake),
      figure(`${name}: the same, p99`, 'ms', wakeLate),
      figure(`${name}: p50 above the store's own two (target at most 1)`, 'ms', above),
      figure(`${name}: the same, decided by who had not looked at it, p50`, 'ms', wakeUnseen),
      figure(`${name}: that p50 above the store's own two`, 'ms', aboveUnseen),
    ]
  } finally {
    other.stop()
    await notifier.close()
    await gateway.close()
    await bare.close()
  }
}

/** Of all processes of the machine, in milliseconds. */
function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

async function oneCompareAndSet(store: Store, index: number): Promise<number> {
  const id = `bare-${index}`
  const entry = { chain: 'bare', type: 'request.opened' as const, body: '{}', committed: () => {} }
  const draft = requestDraft(id, { session: `s${index % 64}` })
  await store.open({
    request: draft,
    state: 'pending',
    session: sessionDraft(draft.session),
    deliveries: [],
    maxPending: 1000,
    entry,
  })
  const startedAt = now()
  await store.transition({
    id,
    version: 1,
    from: 'pending',
    to: 'rejected',
    progress: {},
    deadline: 'none',
    guard: 'before_deadline',
    entry,
  })
  return now() - startedAt
}

interface Other {
  ready: Promise<unknown>
  ask(): Promise<Record<string, unknown>>
  next(kind: string): Promise<Record<string, unknown>>
  stop(): void
}

function startOther(server: SharedServer, place: string): Other {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'wake-child.ts'), server.kind, server.url, place],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const waiting = new Map<
    string,
    { resolve: (message: Record<string, unknown>) => void; reject: (error: Error) => void }
  >()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Record<string, unknown>
    waiting.get(String(message.kind))?.resolve(message)
  })
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the other node ended with ${code}`))
  })
  const next = (kind: string) =>
    new Promise<Record<string, unknown>>((resolve, reject) => waiting.set(kind, { resolve, reject }))
  return {
    ready: next('ready'),
    next,
    ask() {
      const asked = next('asked')
      child.stdin.write('ask\n')
      return asked
    },
    stop: () => void child.kill('SIGKILL'),
  }
}
