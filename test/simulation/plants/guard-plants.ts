/** Planted bugs of holds, of claims that are given back, of requests that follow others, and of results that are kept. */
import type { Plant } from './plants.ts'

export const GUARD_PLANTS: readonly Plant[] = [
  {
    name: 'a key that gave its claim back claims again',
    file: 'src/core/transitions.ts',
    find: "  if (isReleased(request.progress.released, wanted.key))\n    return refuse('already_claimed', reasonOf('call.given-back'))\n",
    replace: '',
    promises: ['P4'],
    isQuick: true,
  },
  {
    name: 'a claim that is given back makes the approval a new one',
    file: 'src/core/transitions.ts',
    find: 'const deadline = { at: held.lapsesAt ?? at }',
    replace: 'const deadline = { inMs: CLAIM_WITHIN_MS }',
    promises: ['P5'],
    isQuick: true,
  },
  {
    name: 'a claim is given back after its lease',
    file: 'src/core/transitions.ts',
    find: "to: 'approved', deadline, guard: 'before_deadline', progress: next }",
    replace: "to: 'approved', deadline, progress: next }",
    promises: ['P4'],
  },
  {
    name: 'a call that was told to stop can be claimed again once it is given back',
    file: 'src/core/transitions.ts',
    find: 'if (stop === undefined) {',
    replace: 'if (true) {',
    promises: ['P5'],
  },
  {
    name: 'the report of a claim that was given back ends the next one',
    file: 'src/core/transitions.ts',
    find: 'if (held === undefined || held.id !== claimId) {',
    replace: 'if (held === undefined) {',
    promises: ['P4'],
  },
  {
    name: 'what was judged once is not judged again after a claim was given back',
    file: 'src/gateway/lifecycle/claim.ts',
    find: "if (now.state === 'approved') await recheckApproval(ports, now)",
    replace:
      "if (now.state === 'approved' && now.progress.released === undefined) await recheckApproval(ports, now)",
    promises: ['P5'],
  },
  {
    name: 'a claim whose answer was lost is given again with what is left of its lease',
    file: 'src/gateway/guarding/conclude-call.ts',
    find: 'if (at < sentAt) await claims.renew(request.id, claimId, actor)',
    replace: '',
    promises: ['P4'],
  },
  {
    name: 'two requests follow the same one',
    file: 'src/stores/memory/verbs/requests.ts',
    find: 'if (succeeds === undefined || known.request !== succeeds || known.digest !== digest) return known',
    replace: 'if (succeeds === undefined || known.digest !== digest) return known',
    promises: ['P4'],
  },
  {
    name: 'a call that a person rejected is asked about again',
    file: 'src/gateway/lifecycle/successors.ts',
    find: "return state === 'lapsed' ||",
    replace: "return state === 'rejected' || state === 'lapsed' ||",
    promises: ['P2'],
    isQuick: true,
  },
  {
    name: 'a call that nobody answers is asked about for ever',
    file: 'src/gateway/lifecycle/successors.ts',
    find: 'return count > MAX_SUCCESSORS ? undefined : { id: request.id, count }',
    replace: 'return { id: request.id, count: Math.min(count, MAX_SUCCESSORS) }',
    promises: ['P4'],
  },
  {
    name: 'whoever hears that the request has ended asks again by itself',
    file: 'src/gateway/guarding/guard.ts',
    find: "return begun.kind === 'wait' || begun.kind === 'decided' ? settled(begun, taking, actor) : begun",
    replace: `if (begun.kind !== 'wait' && begun.kind !== 'decided') return begun
      return settled(begun, taking, actor).then((taken) =>
        taken.kind !== 'refused' || !taken.mayRetry || taken.state === 'running'
          ? taken
          : takeCall(call, { ...taking, waitsFor: undefined }, actor),
      )`,
    promises: ['P5'],
    isQuick: true,
  },
  {
    name: 'a hold is changed whatever it has become',
    file: 'src/stores/memory/verbs/calls.ts',
    find: 'if ((before?.version ?? 0) !== version) {',
    replace: 'if (false) {',
    promises: ['P4'],
  },
  {
    name: 'a hold is given to whoever asks while it runs',
    file: 'src/core/call-hold.ts',
    find: "return hold.key === key && hold.by === by\n        ? { kind: 'repeat' }\n        : refuse('already_claimed', reasonOf('call.let-through'))",
    replace: "return { kind: 'repeat' }",
    promises: ['P4'],
    isQuick: true,
  },
  {
    name: 'a key that gave an allowed call back takes it again',
    file: 'src/core/call-hold.ts',
    find: "  if (isReleased(hold.released, key)) return refuse('already_claimed', reasonOf('call.given-back'))\n",
    replace: '',
    promises: ['P4'],
    isQuick: true,
  },
  {
    name: 'a call that was run at once is run again',
    file: 'src/gateway/guarding/repeat-call.ts',
    find: 'if (review.repeated && hold === undefined) return LET_THROUGH',
    replace: 'if (review.repeated && hold === undefined) return claimUnlessGone(allowed, attempt)',
    promises: ['P4'],
    isQuick: true,
  },
  {
    name: 'a call is held in a session that has ended',
    file: 'src/gateway/guarding/allowed-holds.ts',
    find: 'if (session?.ended === undefined) return',
    replace: 'return',
    promises: ['P5'],
  },
  {
    name: 'the result of a report that came too late is kept',
    file: 'src/gateway/lifecycle/report-outcome.ts',
    find: '...(result === undefined || !isLeased(now, store.now()) ? {} : { result }),',
    replace: '...(result === undefined ? {} : { result }),',
    promises: ['P4'],
  },
  {
    name: 'the result of a call is given for other bytes',
    file: 'src/gateway/lifecycle/review.ts',
    find: `  if (known.digest !== call.digest) throw callConflict(call, known.digest)
  const base =`,
    replace: '  const base =',
    promises: ['P3'],
  },
]
