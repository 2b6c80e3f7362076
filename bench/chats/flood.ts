/**
 * A thousand requests in a minute to one chat, at a stand-in that keeps to the service's limits: how many messages and changes it takes,
 * how many of them the service refuses as too many, how often somebody is asked twice, and how much the heap grows meanwhile. The clock is
 * one that is moved, so it takes seconds. The stand-in and the store are in the same process, and count in the heap.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ChatService } from '../../src/people/chats/contract.ts'
import { createFeishu } from '../../src/people/chats/feishu/feishu.ts'
import { startFeishuStandIn } from '../../src/people/chats/feishu/fixtures/feishu-stand-in.ts'
import { openChatNode } from '../../src/people/chats/fixtures/chat-node.ts'
import { startTelegramStandIn } from '../../src/people/chats/telegram/fixtures/telegram-stand-in.ts'
import { createTelegram } from '../../src/people/chats/telegram/telegram.ts'
import type { ChatStandIn } from '../../src/testing/chat/chat-test.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { agent, benchFolder } from '../bench-gateway.ts'
import { type Figure, figure } from '../measure.ts'

const REQUESTS = 1000
const MINUTE_MS = 60_000
/** All deliveries are made long before that. */
const MAX_STEPS = 600
const MEGABYTE = 1024 * 1024

type Start = (now: () => number) => Promise<{ standIn: ChatStandIn; service: ChatService }>

const SERVICES: Readonly<Record<string, Start>> = {
  async telegram(now) {
    const standIn = await startTelegramStandIn(now)
    const { url, token } = standIn.server
    return { standIn, service: createTelegram({ url, token }) }
  },
  async feishu(now) {
    const standIn = await startFeishuStandIn(now)
    const { url, appId, appSecret } = standIn.server
    return { standIn, service: createFeishu({ url, appId, appSecret, now }) }
  },
}

export async function benchFlood(rounds: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, start] of Object.entries(SERVICES)) {
    const runs: FloodRun[] = []
    for (let round = 0; round < rounds; round++) runs.push(await flood(start))
    const row = (what: string, unit: string, pick: (run: FloodRun) => number) =>
      figure(`${name}, ${REQUESTS} requests in a minute: ${what}`, unit, runs.map(pick))
    figures.push(
      row('messages and changes sent', '', ({ written }) => written),
      row('refused as too many', '', ({ refused }) => refused),
      row('messages in the chat', '', ({ messages }) => messages),
      row('requests with a second card', '', ({ twice }) => twice),
      row('heap at its peak, above the start', 'MB', ({ peakMegabytes }) => peakMegabytes),
      row('heap afterwards, above the start', 'MB', ({ leftMegabytes }) => leftMegabytes),
    )
  }
  return figures
}

interface FloodRun {
  written: number
  refused: number
  messages: number
  twice: number
  peakMegabytes: number
  leftMegabytes: number
}

async function flood(start: Start): Promise<FloodRun> {
  const clock = createFakeClock()
  const { standIn, service } = await start(() => clock.now())
  const folder = benchFolder()
  const node = await openChatNode({
    service,
    clock,
    path: join(folder, 'bench.db'),
    people: { ana: { groups: [], account: standIn.accounts.ana } },
    policy: {},
    wrap: (store) => store,
  })
  const sent = () => standIn.messages(standIn.privateChat(standIn.accounts.ana))
  try {
    const before = heapAfterCollecting()
    let peak = before
    const look = () => {
      peak = Math.max(peak, process.memoryUsage().heapUsed)
    }
    for (let index = 0; index < REQUESTS; index++) {
      const call = { tool: 'deploy', arguments: { index }, callId: `c${index}`, session: `s${index % 10}` }
      await node.gateway.review(call, agent)
      await clock.advance(MINUTE_MS / REQUESTS)
      look()
    }
    const isTold = () => sent().some(({ text }) => /^\D*\d+ more requests are pending/.test(text))
    let idle = 0
    for (let step = 0; step < MAX_STEPS && (idle < 5 || !isTold()); step++) {
      const count = standIn.written()
      await clock.advance(5_000)
      await new Promise((resolve) => setImmediate(resolve))
      idle = standIn.written() === count ? idle + 1 : 0
      look()
    }
    const cards = sent().map(({ text }) => /req_\w+/.exec(text)?.[0])
    const asked = cards.filter((id) => id !== undefined)
    return {
      written: standIn.written(),
      refused: standIn.refused(),
      messages: sent().length,
      twice: asked.length - new Set(asked).size,
      peakMegabytes: (peak - before) / MEGABYTE,
      leftMegabytes: (heapAfterCollecting() - before) / MEGABYTE,
    }
  } finally {
    await node.close()
    await standIn.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function heapAfterCollecting(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}
