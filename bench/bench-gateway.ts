/** A gateway on a real SQLite file, as the benchmarks use it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolCall } from '../src/core/call.ts'
import type { Actor } from '../src/core/session.ts'
import { type Gateway, openGateway } from '../src/index.ts'

export const people = { ana: { subject: 'ana', role: 'approver', via: 'bench' } satisfies Actor }
export const agent: Actor = { subject: 'local', role: 'agent', via: 'bench' }

export interface BenchGateway {
  gateway: Gateway
  folder: string
  close(): Promise<void>
}

/** On the disk of the working folder unless BENCH_FOLDER names another: a tmpfs would flatter every figure. */
export function benchFolder(): string {
  return mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'banksman-bench-'))
}

export async function openBenchGateway(folder = benchFolder()): Promise<BenchGateway> {
  const gateway = await openGateway({
    store: `sqlite:${join(folder, 'bench.db')}`,
    policy: { allow: ['read_*'] },
    owner: 'ana',
  })
  return {
    gateway,
    folder,
    async close() {
      await gateway.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let calls = 0

/** The call of an ordinary agent: a handful of arguments, one of 64 sessions, ids that go up. */
export function nextCall(tool = 'deploy'): ToolCall {
  const n = calls++
  return {
    tool,
    arguments: {
      service: 'web',
      environment: 'staging',
      replicas: 3,
      note: 'roll out the new build',
      attempt: n,
    },
    callId: `call-${String(n).padStart(9, '0')}`,
    session: `session-${n % 64}`,
  }
}

/** Opens, decides, and waits until whoever waits for it has woken: two commits. */
export async function approveOne(gateway: Gateway): Promise<void> {
  const { request } = await gateway.review(nextCall(), agent)
  const woken = gateway.wait(request!.id)
  await gateway.decide(request!.id, { decision: 'approve', digest: request!.digest }, people.ana)
  await woken
}

/** A whole `guard`: opens, decides, claims, runs, reports. Four commits; it returns before the last. */
export async function guardOne(gateway: Gateway): Promise<void> {
  const call = nextCall()
  const running = gateway.guard(call, () => 'done')
  const { request } = await gateway.review(call, agent)
  await gateway.decide(request!.id, { decision: 'approve', digest: request!.digest }, people.ana)
  const result = await running
  if (result.kind !== 'ran') throw new Error(`it did not run: ${JSON.stringify(result)}`)
}

export async function inFlight(width: number, count: number, work: () => Promise<void>): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (left-- > 0) await work()
    }),
  )
}
