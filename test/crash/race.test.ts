/** Three processes on one file decide the same requests at the same time. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { agent, openChildGateway } from './child-gateway.ts'

const REQUESTS = 60
let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banksman-race-'))
  path = join(folder, 'race.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Result {
  id: string
  by: string
  won: boolean
  code?: string
  winner?: string
}

async function openRequests(quorum: number): Promise<string[]> {
  const { gateway, store } = await openChildGateway({ path, quorum })
  const ids: string[] = []
  for (let index = 0; index < REQUESTS; index++) {
    const call = { tool: 'deploy', arguments: { index }, callId: `c${index}`, session: 'race' }
    ids.push((await gateway.review(call, agent)).request!.id)
  }
  await gateway.close()
  await store.close()
  return ids
}

function race(deciders: [person: string, decision: string][], quorum: number): Promise<Result[]> {
  return raceOf('decider.ts', deciders, String(quorum))
}

async function raceOf(
  program: string,
  deciders: [person: string, decision: string][],
  last: string,
): Promise<Result[]> {
  const results: Result[] = []
  const children = deciders.map(([name, decision]) =>
    spawn(process.execPath, [join(import.meta.dirname, program), path, name, decision, last], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  let ready = 0
  await Promise.all(
    children.map(
      (child) =>
        new Promise<void>((resolve, reject) => {
          createInterface({ input: child.stdout }).on('line', (line) => {
            const message = JSON.parse(line)
            if (message.ready !== true) results.push(message)
            else if (++ready === children.length) for (const each of children) each.stdin.write('go\n')
          })
          child.on('close', (code) =>
            code === 0 ? resolve() : reject(new Error(`a decider ended with ${code}`)),
          )
        }),
    ),
  )
  return results
}

it('P2: conflicting decisions from three processes have one winner each, and every loser is told who', async () => {
  const ids = await openRequests(1)
  const results = await race(
    [
      ['ana', 'approve'],
      ['ben', 'reject'],
      ['cleo', 'respond'],
    ],
    1,
  )
  expect(results).toHaveLength(ids.length * 3)
  const { gateway, store } = await openChildGateway({ path })
  for (const id of ids) {
    const mine = results.filter((result) => result.id === id)
    const winners = mine.filter((result) => result.won)
    expect(winners).toHaveLength(1)
    expect((await store.get(id))?.progress.decision?.by).toBe(winners[0]!.by)
    for (const loser of mine.filter((result) => !result.won)) {
      expect(loser).toMatchObject({ code: 'already_decided', winner: winners[0]!.by })
    }
  }
  await gateway.close()
  await store.close()
})

it('P2: of resumes from three processes one wins each session whole', async () => {
  const SESSIONS = 30
  const { gateway, store } = await openChildGateway({ path })
  const ids: string[][] = []
  for (let index = 0; index < SESSIONS; index++) {
    const session = `race-${index}`
    const calls = ['a', 'b', 'c'].map((callId) => ({ tool: 'deploy', arguments: {}, callId, session }))
    const reviews = await Promise.all(calls.map((call) => gateway.review(call, agent)))
    ids.push(reviews.map(({ request }) => request!.id))
  }
  const results = await raceOf(
    'resumer.ts',
    [
      ['ana', 'approve'],
      ['ben', 'reject'],
      ['cleo', 'reject'],
    ],
    String(SESSIONS),
  )
  expect(results).toHaveLength(SESSIONS * 3)
  for (const [index, requests] of ids.entries()) {
    const mine = results.filter((result) => result.id === `race-${index}`)
    const winners = mine.filter((result) => result.won).map((result) => result.by)
    expect(winners).toHaveLength(1)
    for (const id of requests) expect((await store.get(id))?.progress.decision?.by).toBe(winners[0])
    for (const loser of mine.filter((result) => !result.won)) {
      // Whoever comes when all is over finds nothing that waits.
      expect(['already_decided', 'not_pending']).toContain(loser.code)
      if (loser.code === 'already_decided') expect(loser.winner).toBe(winners[0])
    }
  }
  await gateway.close()
  await store.close()
})

it('P2: concurrent votes from three processes are none lost and none counted twice', async () => {
  const ids = await openRequests(4)
  const results = await race(
    [
      ['ana', 'approve'],
      ['ben', 'approve'],
      ['cleo', 'approve'],
      ['ana', 'approve'],
    ],
    4,
  )
  expect(results).toHaveLength(ids.length * 4)
  const { gateway, store } = await openChildGateway({ path, quorum: 4 })
  for (const id of ids) {
    const request = await store.get(id)
    expect(request?.state).toBe('pending')
    expect(request?.progress.votes?.map((vote) => vote.by).sort()).toEqual(['ana', 'ben', 'cleo'])
  }
  await gateway.close()
  await store.close()
})
