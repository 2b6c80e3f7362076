/**
 * Bugs that others had, to be put into a copy of the source: each breaks a promise, and the simulator must find it. Types
 * are stripped, not checked, when the copy runs.
 */
import { GUARD_PLANTS } from './guard-plants.ts'

export interface Plant {
  name: string
  file: string
  /** Stands there exactly once. */
  find: string
  replace: string
  /** What the simulator says was broken: one of these. */
  promises: string[]
  /** Found in so few seeds that `npm test` looks for it, too. */
  isQuick?: true
}

export const PLANTS: readonly Plant[] = [
  {
    name: 'a request is shown before it is committed',
    file: 'src/gateway/lifecycle/open-request.ts',
    find: '    const result = await store.open({',
    replace: `    for (const channel of channels.filter((one) => one.kind === 'durable' && one.serves(call.origin)))
      void channel.present?.({ request: { ...request, state, version: 1, progress: {} }, attempt: 1, later() {} }).catch(() => {})
    const result = await store.open({`,
    promises: ['P1'],
    isQuick: true,
  },
  {
    name: 'a transition asks only whether the request is there',
    file: 'src/stores/memory/verbs/requests.ts',
    find: 'if (request === undefined || request.version !== change.version || request.state !== change.from)',
    replace: 'if (request === undefined)',
    promises: ['P2', 'P3', 'P4', 'P6', 'P10'],
    isQuick: true,
  },
  {
    name: 'a transition compares the state but not the version',
    file: 'src/stores/memory/verbs/requests.ts',
    find: 'request.version !== change.version || request.state !== change.from',
    replace: 'request.state !== change.from',
    promises: ['P2', 'P3', 'P4', 'P6', 'P10'],
    isQuick: true,
  },
  {
    name: 'an answer after the deadline still counts',
    file: 'src/stores/memory/verbs/requests.ts',
    find: "if (change.guard === 'before_deadline' && isDue) return undefined",
    replace: '',
    promises: ['P4', 'P5'],
    isQuick: true,
  },
  {
    name: 'whoever waits is woken before the commit',
    file: 'src/gateway/requests/change-request.ts',
    find: '      const result = await store.transition(change).catch((error) => {',
    replace: `      news.publish(requestAfter(request, next, null), false)
      const result = await store.transition(change).catch((error) => {`,
    promises: ['P5', 'P7'],
    isQuick: true,
  },
  {
    name: 'whoever waits reads before it registers',
    file: 'src/gateway/lifecycle/wait.ts',
    find: 'else this.read((request) => this.look(request))',
    replace: `else {
      ports.waiters.remove(id, this)
      this.read((request) => {
        ports.waiters.add(id, this)
        this.look(request)
      })
    }`,
    promises: ['P7'],
  },
  {
    name: 'nobody looks again after a commit whose reply was lost',
    file: 'src/gateway/requests/change-request.ts',
    find: `        rereadLater(id)
        throw error
      })
      remembered = undefined`,
    replace: `        recent.delete(id)
        throw error
      })
      remembered = undefined`,
    promises: ['P7'],
  },
  {
    name: 'whoever waits is woken with what the node remembers',
    file: 'src/gateway/live/wake-up.ts',
    find: '    const request = await store.get(id)',
    replace: '    const request = recent.get(id)\n    if (request === undefined) return',
    promises: ['P7'],
    isQuick: true,
  },
  {
    name: 'what another node changed is not struck out',
    file: 'src/gateway/live/wake-up.ts',
    find: 'recent.strike(isNamed ? requests : undefined)',
    replace: '',
    promises: ['P7'],
  },
  {
    name: 'an answer that comes after the hint of a later change is kept',
    file: 'src/gateway/requests/recent-requests.ts',
    find: 'if (isNews) put(request)',
    replace: 'put(request)',
    promises: ['P7'],
  },
  {
    name: 'a hint is forgotten when the store can not be read',
    file: 'src/gateway/live/wake-up.ts',
    find: `      for (const id of ids) named.add(id)
      any ||= isAny`,
    replace: '',
    promises: ['P7'],
  },
  {
    name: 'nobody looks again after an ending whose reply was lost',
    file: 'src/gateway/sessions/end-sessions.ts',
    find: 'for (const each of moves) changes.rereadLater(each.request.id)',
    replace: 'for (const each of moves) changes.recent.delete(each.request.id)',
    promises: ['P7'],
  },
  {
    name: 'what had ended is said to be cancelled when the store fails',
    file: 'src/gateway/lifecycle/cancel.ts',
    find: '!isStoreFault(error) || !LIVE_STATES.includes(request.state)',
    replace: '!isStoreFault(error)',
    promises: ['P2', 'P5'],
  },
  {
    name: 'a claim is given to whoever asks while it runs',
    file: 'src/core/transitions.ts',
    find: "if (held.key === wanted.key && held.by === wanted.by && request.state === 'running')",
    replace: "if (request.state === 'running')",
    promises: ['P4'],
    isQuick: true,
  },
  {
    name: 'a claim does not compare the digest',
    file: 'src/gateway/lifecycle/claim.ts',
    find: 'if (approved === undefined || approved === digest) return',
    replace: 'return',
    promises: ['P3'],
  },
  {
    name: 'what runs is what was asked for, not what was approved',
    file: 'src/gateway/lifecycle/claim.ts',
    find: 'arguments: contentOf(approved.bytes ?? moved.bytes).arguments,',
    replace: 'arguments: contentOf(moved.bytes).arguments,',
    promises: ['P3'],
    isQuick: true,
  },
  {
    name: 'a decision does not compare the digest that was shown',
    file: 'src/gateway/deciding/prepare-decision.ts',
    find: 'if (input.digest !== shownDigest(request)) throw digestMismatch(request, input.digest)',
    replace: '',
    promises: ['P3', 'P6'],
  },
  {
    name: 'anybody may decide',
    file: 'src/core/decisions/votes.ts',
    find: 'return conditions.some((condition) => may(subject, condition))',
    replace: 'return conditions.length > 0',
    promises: ['P6'],
    isQuick: true,
  },
  {
    name: 'one vote is enough for any quorum',
    file: 'src/core/decisions/votes.ts',
    find: 'return count >= Math.max(1, condition.quorum)',
    replace: 'return count >= 1',
    promises: ['P6'],
    isQuick: true,
  },
  {
    name: 'a call that is made again opens a second request',
    file: 'src/stores/memory/verbs/requests.ts',
    find: 'const known = inTheWay(draft, succeeds)',
    replace: 'const known = undefined',
    promises: ['P4'],
  },
  {
    name: 'the entry is written after the commit',
    file: 'src/stores/memory/verbs/requests.ts',
    find: `    deliveries.touch(next.id, next.version)
    journal.add(change.entry)`,
    replace: `    deliveries.touch(next.id, next.version)
    setImmediate(() => void journal.append(change.entry))`,
    promises: ['P10'],
    isQuick: true,
  },
  {
    name: 'a change that lost is in the journal all the same',
    file: 'src/stores/memory/verbs/requests.ts',
    find: '    if (next === undefined) return { won: false, request }',
    replace: '    if (next === undefined) { journal.add(change.entry); return { won: false, request } }',
    promises: ['P10'],
    isQuick: true,
  },
  {
    name: 'a use of a grant is not taken from those that are left',
    file: 'src/stores/memory/verbs/grants.ts',
    find: 'if (grant === undefined || isSpent(grant)) return false',
    replace: 'if (grant === undefined) return false',
    promises: ['P5'],
  },
  {
    name: 'ending a session leaves what was opened meanwhile',
    file: 'src/stores/memory/verbs/requests.ts',
    find: 'if (book.live(session).some((request) => !after.has(request.id))) return { won: false }',
    replace: '',
    promises: ['P5'],
  },
  {
    name: 'a session that has ended takes a call that was on its way',
    file: 'src/stores/memory/verbs/sessions.ts',
    find: "if (session.ended !== undefined) return 'session_ended'",
    replace: '',
    promises: ['P5'],
  },
  {
    name: 'a lost reply to a claim counts as a claim',
    file: 'src/gateway/guarding/conclude-call.ts',
    find: '      return claimRefused(request, error, actor, taking)',
    replace: `      if (error.code?.startsWith('store_')) {
        const { session, callId, id: requestId } = request
        const args = contentOf(bytes ?? request.bytes).arguments
        const data = { kind: 'held', key, session, callId, arguments: args, requestId, claimId: 'clm_lost', leaseMs: 3000 }
        return { kind: 'claimed', data, request, sinceSent }
      }
      return claimRefused(request, error, actor, taking)`,
    promises: ['P4'],
    isQuick: true,
  },
  {
    name: 'a lease is renewed after it has lapsed',
    file: 'src/core/transitions.ts',
    find: "return change(request, { to: 'running', deadline: { inMs: held.leaseMs }, guard: 'before_deadline' })",
    replace: "return change(request, { to: 'running', deadline: { inMs: held.leaseMs } })",
    promises: ['P4'],
  },
  {
    name: 'a delivery counts as shown before it was presented',
    file: 'src/gateway/live/deliver.ts',
    find: '      const reference = first ? await channel.present',
    replace: `      await store.deliveries.shown(delivery, request.version, undefined)
      const reference = first ? await channel.present`,
    promises: ['P1'],
    isQuick: true,
  },
  {
    name: 'a call is allowed while the store fails',
    file: 'src/gateway/lifecycle/review.ts',
    find: 'return openRequest(asking)',
    replace: `return openRequest(asking).catch(() => ({
          verdict: { kind: 'allow', because: 'nobody could be asked' },
          repeated: false,
          arguments: call.arguments,
          callId: call.callId,
        }))`,
    promises: ['P4', 'P5'],
    isQuick: true,
  },
  {
    name: 'nobody is asked, and the request waits for ever',
    file: 'src/gateway/live/reach.ts',
    find: 'if (answering.length + live.length === 0) {',
    replace: 'if (false) {',
    promises: ['P8'],
    isQuick: true,
  },
  {
    name: 'who is left alone in a live channel goes on waiting',
    file: 'src/gateway/live/unreachable-check.ts',
    find: "if (request.reach !== 'live') continue",
    replace: 'continue',
    promises: ['P8'],
  },
  ...GUARD_PLANTS,
]
