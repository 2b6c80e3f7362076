/** kill -9 at random moments under load. More rounds: `npm run test:crash -- 200`. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { pageJournal, verifyJournal } from '../../src/journal/index.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'
import { openChildGateway } from './child-gateway.ts'

const ROUNDS = Number(process.env.BANKSMAN_CRASH_ROUNDS ?? 6)
const folder = mkdtempSync(join(tmpdir(), 'banksman-crash-'))
const path = join(folder, 'crash.db')
const presentedFile = join(folder, 'presented')
const ranFile = join(folder, 'ran')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Told {
  opened: Map<string, string>
  decided: Map<string, { decision: string; by: string }>
}

it(
  `P1 P2 P4 P7 P10: ${ROUNDS} times killed under load, and nothing that was acknowledged is lost`,
  async () => {
    const told: Told = { opened: new Map(), decided: new Map() }
    for (let round = 0; round < ROUNDS; round++) {
      await runAndKill(told, 20 + Math.random() * 600)
      await check(told)
    }
    expect(told.decided.size).toBeGreaterThan(ROUNDS)
    await everyDeliveryIsPresented(told)
    await journalVerifies()
  },
  60_000 + ROUNDS * 15_000,
)

function runAndKill(told: Told, afterMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'under-load.ts'), path, presentedFile, ranFile],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let complaint = ''
    child.stderr.on('data', (text) => {
      complaint += text
    })
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = parse(line)
      if (message?.ready === true) setTimeout(() => child.kill('SIGKILL'), afterMs)
      if (message?.opened !== undefined) told.opened.set(message.opened, message.digest)
      if (message?.decided !== undefined) told.decided.set(message.decided, message)
    })
    child.on('close', (_, signal) => {
      if (signal === 'SIGKILL') resolve()
      else reject(new Error(`the child ended by itself: ${complaint}`))
    })
  })
}

async function check(told: Told): Promise<void> {
  const store = openSqliteStore({ path })
  try {
    for (const [id, digest] of told.opened) expect(await store.get(id)).toMatchObject({ id, digest })
    for (const [id, { decision, by }] of told.decided) {
      expect((await store.get(id))?.progress.decision).toMatchObject({ kind: decision, by })
    }
    const runs = new Set<string>()
    for (const line of lines(ranFile)) {
      const { id, claim, args } = JSON.parse(line)
      expect(runs.has(id), `${id} ran twice`).toBe(false)
      runs.add(id)
      const request = (await store.get(id))!
      expect(request.progress.claim?.id, `${id} ran without its claim`).toBe(claim)
      expect(request.progress.decision?.kind).toBe('approve')
      expect(JSON.parse(request.bytes).arguments).toEqual(args)
    }
  } finally {
    await store.close()
  }
}

async function everyDeliveryIsPresented(told: Told): Promise<void> {
  const { gateway, store } = await openChildGateway({ path, presentedFile })
  const missing = () => {
    const presented = new Set(lines(presentedFile))
    return [...told.opened.keys()].filter((id) => !presented.has(id))
  }
  // The leases of the last process that died must run out first.
  await expect.poll(missing, { interval: 250 }).toEqual([])
  await gateway.close()
  await store.close()
}

async function journalVerifies(): Promise<void> {
  const store = openSqliteStore({ path })
  const report = await verifyJournal(pageJournal(store.journal))
  expect(report.problems).toEqual([])
  expect(report.ok).toBe(true)
  expect(report.chains.length).toBeGreaterThanOrEqual(ROUNDS)
  await store.close()
}

function lines(file: string): string[] {
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  // The last line may have been cut off by the kill.
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
}

function parse(line: string) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
