/** Three processes give different answers to the same requests, on every store. 100,000 a store: `npm run test:crash`. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { noPostgres, startPostgres } from '../servers/postgres.ts'
import { noRedis, startRedis } from '../servers/redis.ts'
import { agent, openChildGateway } from './child-gateway.ts'

const ANSWERS = Number(process.env.BANKSMAN_CONFLICTS ?? 900)
const PEOPLE = [
  ['ana', 'approve'],
  ['ben', 'reject'],
  ['cleo', 'respond'],
] as const
const REQUESTS = Math.ceil(ANSWERS / PEOPLE.length)
const TOGETHER = 100

const undo: (() => Promise<void> | void)[] = []
afterAll(async () => {
  for (const step of undo.reverse()) await step()
})

const STORES = [
  {
    name: 'SQLite',
    missing: false as string | false,
    async start() {
      const folder = mkdtempSync(join(tmpdir(), 'banksman-conflicts-'))
      undo.push(() => rmSync(folder, { recursive: true, force: true }))
      return join(folder, 'conflicts.db')
    },
  },
  {
    name: 'Postgres',
    missing: noPostgres,
    async start() {
      const server = await startPostgres()
      undo.push(() => server.dispose())
      return server.url
    },
  },
  {
    name: 'Redis',
    missing: noRedis,
    async start() {
      const server = await startRedis()
      undo.push(() => server.dispose())
      return server.url
    },
  },
]

for (const { name, missing, start } of STORES) {
  describe.skipIf(missing)(`on ${name}`, () => {
    it(
      `P2: ${REQUESTS * PEOPLE.length} conflicting answers from three processes have one winner a request`,
      async () => {
        const path = await start()
        const { gateway, store } = await openChildGateway({ path })
        const answerers = await Promise.all(
          PEOPLE.map(([person, decision]) => startAnswerer(path, person, decision)),
        )
        const wins = new Map<string, number>(PEOPLE.map(([person]) => [person, 0]))
        for (let begun = 0; begun < REQUESTS; begun += TOGETHER) {
          const count = Math.min(TOGETHER, REQUESTS - begun)
          const calls = Array.from({ length: count }, (_, index) => ({
            tool: 'deploy',
            arguments: { index: begun + index },
            callId: `c${begun + index}`,
            session: `s${begun}`,
          }))
          const reviews = await Promise.all(calls.map((call) => gateway.review(call, agent)))
          const requests = reviews.map(({ request }) => ({ id: request!.id, digest: request!.digest }))
          const told = await Promise.all(answerers.map((answerer) => answerer.answer(requests)))
          for (const { id } of requests) {
            const winner = (await store.get(id))?.progress.decision?.by
            expect(winner).toBeDefined()
            // Everybody was told the same, and it is what the store has.
            expect(told.map((answers) => answers.get(id))).toEqual(PEOPLE.map(() => winner))
            wins.set(winner!, wins.get(winner!)! + 1)
          }
        }
        expect([...wins.values()].reduce((sum, each) => sum + each)).toBe(REQUESTS)
        console.log(`conflicts on ${name}: ${JSON.stringify(Object.fromEntries(wins))}`)
        await Promise.all(answerers.map((answerer) => answerer.end()))
        await gateway.close()
        await store.close()
      },
      120_000 + ANSWERS * 20,
    )
  })
}

interface Answerer {
  answer(requests: object[]): Promise<Map<string, string>>
  end(): Promise<void>
}

async function startAnswerer(path: string, person: string, decision: string): Promise<Answerer> {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    process.execPath,
    [join(import.meta.dirname, 'answerer.ts'), path, person, decision],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  undo.push(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const lines = createInterface({ input: child.stdout })
  await nextLine(lines, ended)
  return {
    async answer(requests) {
      const line = nextLine(lines, ended)
      child.stdin.write(`${JSON.stringify(requests)}\n`)
      return new Map((JSON.parse(await line) as { answered: [string, string][] }).answered)
    },
    async end() {
      child.stdin.end()
      expect(await ended).toBe(0)
    },
  }
}

function nextLine(lines: Interface, ended: Promise<number | null>): Promise<string> {
  return new Promise((resolve, reject) => {
    lines.once('line', resolve)
    ended.then((code) => reject(new Error(`an answerer ended with ${code}`)))
  })
}
