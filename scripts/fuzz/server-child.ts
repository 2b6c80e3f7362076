/**
 * A server on the loopback interface, in a process of its own, that measures itself: how long its event loop was held,
 * by the processor time of its thread, and how far its memory rose. Told what to do over the channel of `fork`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../../src/server/start-server.ts'
import type { Figures } from './measured-server.ts'
import { POLICY } from './policy.ts'

const folder = process.argv[2] ?? ''
const server = await startServer({
  host: '127.0.0.1',
  port: 0,
  data: join(folder, 'data'),
  configuration: join(folder, 'banksman.yaml'),
  environment: { ...process.env, HOME: folder },
  policy: POLICY,
  report: ({ doing, error }) => console.error(doing, error),
  say: () => {},
})
const agent = await server.gateway.tokens.create({ role: 'agent', subject: 'fuzz' }, server.self)
const person = await server.gateway.tokens.create({ role: 'admin', subject: 'ana' }, server.self)

let worst = { cpu: 0, wall: 0 }
let before = now()
let residentBefore = 0
setInterval(() => {
  const at = now()
  if (at.cpu - before.cpu > worst.cpu) worst = { cpu: at.cpu - before.cpu, wall: at.wall - before.wall }
  before = at
}, 1)

process.on('message', (message) => {
  if (message === 'begin') {
    globalThis.gc?.()
    forgetPeak()
    residentBefore = process.memoryUsage.rss()
    worst = { cpu: 0, wall: 0 }
    before = now()
    process.send?.({ kind: 'begun' })
  } else if (message === 'end') {
    const figures: Figures = {
      holdMs: worst.cpu,
      wallMs: worst.wall,
      megabytes: Math.max(0, peak() - residentBefore) / 1e6,
    }
    process.send?.({ kind: 'figures', figures })
  }
})
process.on('disconnect', () => process.exit(0))
process.send?.({ kind: 'started', url: server.url, agent: agent.secret, person: person.secret })

/** Processor time, since a busy machine would make every case look slow. */
function now(): { cpu: number; wall: number } {
  const { user, system } = process.threadCpuUsage()
  return { cpu: (user + system) / 1000, wall: performance.now() }
}

/** Linux keeps the highest mark and lets us set it back; elsewhere it is that of the whole run. */
function forgetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // Then a case is measured from the highest one before it.
  }
}

function peak(): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    if (kilobytes !== undefined) return Number(kilobytes) * 1024
  } catch {
    // As above.
  }
  return process.resourceUsage().maxRSS * 1024
}
