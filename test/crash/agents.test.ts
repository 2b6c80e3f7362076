/** Processes with an agent each, killed one after the other in the middle of a turn. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { until } from '../fixtures/until.ts'
import { openChildGateway, person } from './child-gateway.ts'

const KILLED = 2
const WITHIN_MS = 300_000

it(
  'P4 P7: whoever is left goes on with the turn, and no call runs twice',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'banksman-agents-'))
    const path = join(folder, 'test.db')
    const runsFile = join(folder, 'runs')
    const children: ChildProcess[] = []
    const { gateway, store } = await openChildGateway({ path })
    onTestFinished(async () => {
      for (const child of children) child.kill('SIGKILL')
      await gateway.close()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    })

    function start(...words: string[]) {
      const file = new URL('./agent-node.ts', import.meta.url).pathname
      const child = spawn(process.execPath, [file, path, join(folder, 'work'), runsFile, ...words], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      children.push(child)
      const heard: string[] = []
      createInterface({ input: child.stdout! }).on('line', (line) => heard.push(line))
      return { child, heard }
    }

    const ana = person('ana')
    async function approveOne(): Promise<void> {
      await until(async () => {
        const { items } = await gateway.list({ state: 'pending' }, ana)
        const [request] = items
        if (request === undefined) return false
        await gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ana)
        return true
      }, 'something waits')
    }

    const alive = [start('go')]
    await until(() => alive[0]!.heard.length > 0, 'it has begun')
    for (let round = 1; round <= KILLED; round++) {
      const next = start()
      alive.push(next)
      await until(() => next.heard.length > 0, 'the next one is there')
      await approveOne()
      // Any of them may have gone on with it.
      const runner = () => alive.find(({ heard }) => heard.includes(JSON.stringify({ ran: String(round) })))
      await until(() => runner() !== undefined, 'the tool runs')
      const running = runner()!
      running.child.kill('SIGKILL')
      alive.splice(alive.indexOf(running), 1)
    }
    await approveOne()
    await until(() => alive[0]!.heard.includes(JSON.stringify({ ended: true })), 'the turn is over')
    const runs = readFileSync(runsFile, 'utf8').trim().split('\n')
    expect(runs.map((line) => line.split(' ')[0])).toEqual(['1', '2', '3'])
    expect(new Set(runs.map((line) => line.split(' ')[1])).size).toBe(KILLED + 1)
  },
  WITHIN_MS,
)
