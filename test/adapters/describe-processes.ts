/**
 * Adapters across processes: one pauses and others go on; one is killed while it waits, or inside the tool, and another takes its
 * place.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Actor } from '../../src/core/session.ts'
import { type Gateway, openGateway } from '../../src/index.ts'
import type { AgentRun } from '../../src/testing/adapter-suite.ts'
import { openHttpGateway } from '../fixtures/http-gateway.ts'
import { until } from '../fixtures/until.ts'
import { SUITE_POLICY } from '../guard/suite-policy.ts'

const CHILD = join(import.meta.dirname, 'child.ts')
const ana: Actor = { subject: 'ana', role: 'admin', via: 'test' }

interface Place {
  folder: string
  /** What a child is told of where its guard is. */
  guard: string[]
  /** Once there is a request. */
  asked(): Promise<{ id: string; digest: string }>
  approve(): Promise<void>
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-adapters-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function openFile(): Promise<Place> {
  const folder = newFolder()
  const store = `sqlite:${join(folder, 'banksman.db')}`
  const gateway = await openGateway({ store, policy: SUITE_POLICY, owner: 'ana' })
  onTestFinished(() => gateway.close())
  return placeOf(gateway, folder, [])
}

async function openServer(): Promise<Place> {
  const { setup, server, tokens, close } = await openHttpGateway({ setup: { policy: SUITE_POLICY } })
  onTestFinished(close)
  return placeOf(setup.gateway, newFolder(), [server.address.url, tokens['agent-1']])
}

interface Decided extends Pick<Gateway, 'decide'> {
  list(query: { state: 'pending' }, actor: Actor): Promise<{ items: { id: string; digest: string }[] }>
}

function placeOf(gateway: Decided, folder: string, guard: string[]): Place {
  const asked = async () => {
    let found: { id: string; digest: string } | undefined
    await until(async () => {
      found = (await gateway.list({ state: 'pending' }, ana)).items[0]
      return found !== undefined
    }, 'a request')
    return found!
  }
  return {
    folder,
    guard,
    asked,
    async approve() {
      const { id, digest } = await asked()
      await gateway.decide(id, { decision: 'approve', digest }, ana)
    },
  }
}

function start(framework: string, verb: string, { folder, guard }: Place) {
  const child = spawn(process.execPath, [CHILD, framework, verb, folder, ...guard], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [text, complaint] = ['', '']
  child.stdout.on('data', (data) => (text += data))
  child.stderr.on('data', (data) => (complaint += data))
  const ended = new Promise<Pick<AgentRun, 'ended' | 'told' | 'error'> | undefined>((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(undefined)
      else if (code === 0) resolve(JSON.parse(text))
      else reject(new Error(`${verb} ended with ${code}: ${complaint}`))
    })
  })
  return { child, ended }
}

function runsIn({ folder }: Place): string[] {
  const file = join(folder, 'ran')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

const SENT = { callId: 'c1', text: 'sent to ana', isError: false }

const GUARDS = { 'on one SQLite file': openFile, 'over HTTP': openServer }

/** `framework` as `child.ts` knows it. */
export function describeProcesses(framework: string, guard: keyof typeof GUARDS): void {
  describe(`${framework} in several processes, ${guard}`, () => {
    const open = GUARDS[guard]

    it('P4 P7: one pauses, two go on at once, a third one later: the tool runs once', async () => {
      const place = await open()
      expect(await start(framework, 'pause', place).ended).toMatchObject({ ended: 'paused' })
      expect(await start(framework, 'resume', place).ended).toMatchObject({ ended: 'paused' })
      await place.approve()
      const both = [start(framework, 'resume', place), start(framework, 'resume', place)]
      const runs = await Promise.all(both.map(({ ended }) => ended))
      expect(runs.some((run) => JSON.stringify(run?.told) === JSON.stringify([SENT]))).toBe(true)
      await start(framework, 'resume', place).ended
      expect(runsIn(place)).toEqual(['ana'])
    })

    it('P7: killed while it waits, another one goes on with the same request', async () => {
      const place = await open()
      const first = start(framework, 'wait', place)
      await place.asked()
      first.child.kill('SIGKILL')
      await first.ended
      await place.approve()
      expect((await start(framework, 'again', place).ended)?.told).toEqual([SENT])
      expect(runsIn(place)).toEqual(['ana'])
    })

    it('P4: killed inside of the tool, it does not run again, and the model is told so', async () => {
      const place = await open()
      const first = start(framework, 'die', place)
      await place.approve()
      expect(await first.ended).toBeUndefined()
      const again = await start(framework, 'again', place).ended
      expect(again?.told).toMatchObject([{ callId: 'c1', isError: true }])
      expect(JSON.parse(again!.told[0]!.text)).toMatchObject({ ran: false })
      expect(runsIn(place)).toEqual(['ana'])
    })
  })
}
