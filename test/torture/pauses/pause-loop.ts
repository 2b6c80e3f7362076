/** What `npm run bench:peers -- pauses` measures: a whole run with one call that pauses, is approved, and goes on. */
import type { Gateway } from 'banksman'
import type { Place } from '../contestant.ts'

export interface PauseLoop {
  name: string
  /** One run, in a conversation of its own. Rejects if the tool didn't run once. */
  pause(): Promise<void>
}

/** A place that counts, and keeps nothing. */
export function countingPlace(): { place: Place; ran: () => number } {
  let count = 0
  const place: Place = {
    folder: '',
    session: '',
    turns: [[{ id: 'c1', to: 'ana' }], 'done'],
    async send({ to }) {
      count++
      return `sent to ${to}`
    },
    modelSaw() {},
  }
  return { place, ran: () => count }
}

export function pauseLoop(
  name: string,
  ran: () => number,
  run: (session: string) => Promise<void>,
): PauseLoop {
  let sessions = 0
  return {
    name,
    async pause() {
      const before = ran()
      await run(`${name.replaceAll(/\W+/g, '-')}-${++sessions}`)
      if (ran() !== before + 1) throw new Error(`${name}: the tool ran ${ran() - before} times, and not once`)
    },
  }
}

export async function approveCall(gateway: Gateway, session: string): Promise<void> {
  const request = await gateway.find({ session, callId: 'c1' }, gateway.self)
  if (request === undefined) throw new Error(`nobody was asked in ${session}`)
  const ana = { subject: 'ana', role: 'approver' as const, via: 'bench' }
  await gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ana)
}
