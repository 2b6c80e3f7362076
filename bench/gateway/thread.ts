/**
 * Should the store run in a worker thread? The same small transaction, committed by group: on the calling thread, and in
 * a worker that is sent the groups. One at a time the worker costs two thread wake-ups a commit; in return the event
 * loop is free while the disk works. docs/adr/0003 draws the conclusion.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { benchFolder, inFlight } from '../bench-gateway.ts'
import { type Contestant, type Figure, interleave, perSecond, ratio } from '../measure.ts'

const ONE = 600
const MANY = 12_000
const WIDTH = 64
const BODY = 'x'.repeat(600)

type Commit = (rows: string[]) => void

function openCommit(path: string): Commit {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000')
  database.exec('CREATE TABLE IF NOT EXISTS requests (seq INTEGER PRIMARY KEY, body TEXT)')
  database.exec('CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, body TEXT)')
  const request = database.prepare('INSERT INTO requests (body) VALUES (?)')
  const entry = database.prepare('INSERT INTO journal (body) VALUES (?)')
  return (rows) => {
    database.exec('BEGIN IMMEDIATE')
    for (const row of rows) {
      request.run(row)
      entry.run(row)
    }
    database.exec('COMMIT')
  }
}

/** Collects what arrives in one turn of the event loop and hands it over as a group. */
function group(handOver: (rows: string[], done: () => void) => void): (row: string) => Promise<void> {
  let rows: string[] = []
  let waiting: (() => void)[] = []
  return (row) =>
    new Promise((resolve) => {
      rows.push(row)
      waiting.push(resolve)
      if (rows.length > 1) return
      setImmediate(() => {
        const woken = waiting
        const taken = rows
        rows = []
        waiting = []
        handOver(taken, () => {
          for (const wake of woken) wake()
        })
      })
    })
}

function inline(path: string): (row: string) => Promise<void> {
  const commit = openCommit(path)
  return group((rows, done) => {
    commit(rows)
    done()
  })
}

function inWorker(path: string, workers: Worker[]): (row: string) => Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: path })
  workers.push(worker)
  const waiting: (() => void)[] = []
  worker.on('message', () => waiting.shift()?.())
  return group((rows, done) => {
    waiting.push(done)
    worker.postMessage(rows)
  })
}

export async function benchThread(rounds: number): Promise<Figure[]> {
  const folder = benchFolder()
  const workers: Worker[] = []
  try {
    const here = inline(join(folder, 'inline.db'))
    const there = inWorker(join(folder, 'worker.db'), workers)
    await Promise.all([here(BODY), there(BODY)])
    const contestants: Contestant[] = []
    for (const [name, write] of [
      ['calling thread', here],
      ['worker', there],
    ] as const) {
      contestants.push(
        {
          name: `${name}, one at a time`,
          unit: '/s',
          run: () => perSecond(ONE, () => inFlight(1, ONE, () => write(BODY))),
        },
        {
          name: `${name}, ${WIDTH} in flight`,
          unit: '/s',
          run: () => perSecond(MANY, () => inFlight(WIDTH, MANY, () => write(BODY))),
        },
        {
          name: `${name}, 99th percentile of the event loop's delay under load`,
          unit: 'ms',
          run: () => loopDelay(write),
        },
      )
    }
    const figures = await interleave(contestants, rounds)
    return [
      ...figures,
      ratio('worker / calling thread, one at a time', figures[3]!, figures[0]!),
      ratio(`worker / calling thread, ${WIDTH} in flight`, figures[4]!, figures[1]!),
    ]
  } finally {
    for (const worker of workers) await worker.terminate()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function loopDelay(write: (row: string) => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await inFlight(8, ONE, () => write(BODY))
  delay.disable()
  return delay.percentile(99) / 1e6
}

if (!isMainThread && parentPort !== null && typeof workerData === 'string') {
  const port = parentPort
  const commit = openCommit(workerData)
  port.on('message', (rows: string[]) => {
    commit(rows)
    port.postMessage(rows.length)
  })
}
