/**
 * Web Push: tells people that something waits for them. The answer is given in the inbox, so this channel never makes
 * anybody reachable; and it says so little that there is nothing to bring up to date afterwards.
 *
 * A push says only that something waits, so one that went out after a request was made is a push for that request too.
 * That is all there is to remember: of each subscription, when it was last pushed to. From it follows the rest: of a
 * burst the first is pushed and the others are covered; whoever answers in the first seconds is not disturbed; what
 * came within half a minute of a push, or in quiet hours, is looked at again when they are over, and pushed if it
 * still waits. After a restart one push may go out twice, which is allowed (P1).
 */

import { currentTerms, type Request } from '../../core/request.ts'
import { quietUntil } from '../../core/time/quiet-hours.ts'
import type { Channel, Presentation } from '../channel.ts'
import type { PushSender } from './send-push.ts'
import type { Subscription, Subscriptions } from './subscriptions.ts'

export interface PushChannelParts {
  subscriptions: Subscriptions
  sender: PushSender
  /** Who could decide it now, of those who are known now. */
  eligible(request: Request): Promise<readonly string[]>
  /** Whether this credential of a person is one that still holds. */
  holds(subject: string, token: string): Promise<boolean>
  /** What is answered sooner is not pushed. */
  afterMs: number
  now(): number
  report(fault: { doing: string; error: unknown }): void
}

/** The pushes to one subscription. */
interface PushProgress {
  lastAt: number
  /** Failures in a row. */
  failures: number
  notBefore: number
  sending?: Promise<void>
}

/** A phone that buzzes more often than this is put away. */
const PAUSE_MS = 30_000
const FIRST_RETRY_MS = 15_000
const MAX_RETRY_MS = 15 * 60_000
/** About half an hour with the pauses above. Then the requests of that time count as told. */
const MAX_FAILURES = 8
/** A request without a deadline is worth a push for a day. */
const TTL_MS = 24 * 3_600_000

export function createPushChannel(parts: PushChannelParts): Channel {
  const { subscriptions, sender, afterMs, now, report } = parts
  const lines = new Map<string, PushProgress>()
  let closed = false

  function lineTo({ id }: Subscription): PushProgress {
    const line = lines.get(id) ?? { lastAt: 0, failures: 0, notBefore: 0 }
    lines.set(id, line)
    return line
  }

  /** Undefined: this one is told, or has not to be. Else: when to look again. */
  async function tell(request: Request, subject: string, to: Subscription): Promise<number | undefined> {
    const line = lineTo(to)
    await line.sending
    if (line.lastAt >= request.createdAt) return undefined
    const at = now()
    const quietEnd = to.quiet === undefined ? at : quietUntil(to.quiet, at)
    const notBefore = Math.max(quietEnd, line.notBefore, line.lastAt === 0 ? 0 : line.lastAt + PAUSE_MS)
    if (notBefore > at) return notBefore
    // Whoever comes while this one goes out waits for what becomes of it.
    line.sending ??= push(request, subject, to, line).finally(() => {
      delete line.sending
    })
    await line.sending
    return line.lastAt >= request.createdAt ? undefined : Math.max(line.notBefore, at + 1)
  }

  async function push(
    request: Request,
    subject: string,
    to: Subscription,
    line: PushProgress,
  ): Promise<void> {
    const at = now()
    if (!(await parts.holds(subject, to.token))) return forget(subject, to, line, at)
    const sent = await sender.send({
      endpoint: to.endpoint,
      severity: currentTerms(request).severity,
      ttlMs: request.deadline === null ? TTL_MS : request.deadline - at,
    })
    if (sent.kind === 'gone') return forget(subject, to, line, at)
    if (sent.kind === 'sent') {
      Object.assign(line, { lastAt: at, failures: 0, notBefore: 0 })
      return
    }
    line.failures++
    const isOver = sent.kind === 'refused' || line.failures >= MAX_FAILURES
    if (!closed && (isOver || line.failures === 1))
      report({ doing: `pushing to ${subject}${isOver ? '; given up' : ''}`, error: new Error(sent.why) })
    if (isOver) {
      Object.assign(line, { lastAt: at, failures: 0, notBefore: 0 })
      return
    }
    const pauseMs = sent.retryInMs ?? FIRST_RETRY_MS * 2 ** (line.failures - 1)
    line.notBefore = at + Math.min(Math.max(pauseMs, FIRST_RETRY_MS), MAX_RETRY_MS)
  }

  async function forget(subject: string, to: Subscription, line: PushProgress, at: number): Promise<void> {
    await subscriptions.remove(subject, to.id)
    lines.delete(to.id)
    line.lastAt = at
  }

  return {
    name: 'push',
    kind: 'durable',
    onlyTells: true,
    serves: () => true,
    reaches: (people) => subscriptions.mayReach(people),
    async present({ request, later }: Presentation) {
      if (request.state !== 'pending') return undefined
      const early = request.createdAt + afterMs - now()
      if (early > 0) {
        later(early)
        return undefined
      }
      const said = new Set((request.progress.votes ?? []).map(({ by }) => by))
      const people = (await parts.eligible(request)).filter((subject) => !said.has(subject))
      const moments = await Promise.all(
        people.map(async (subject) => {
          const mine = await subscriptions.of(subject)
          return Promise.all(mine.map((to) => tell(request, subject, to)))
        }),
      )
      const open = moments.flat().filter((moment) => moment !== undefined)
      if (open.length > 0) later(Math.min(...open) - now())
      return undefined
    },
    async close() {
      closed = true
      sender.close()
    },
  }
}
