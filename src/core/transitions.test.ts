import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Decision, DecisionKind } from './decision.ts'
import { sayInEnglish } from './reasons/english.ts'
import { isFinal, type Progress, type Request, type RequestState, STATES } from './request.ts'
import { type RequestEvent, step } from './transitions.ts'

const people = fc.constantFrom('ana', 'ben')
const kinds = fc.constantFrom<DecisionKind>('approve', 'edit', 'reject', 'respond', 'terminate', 'answer')

const decision = fc.record({
  kind: kinds,
  by: people,
  at: fc.constant(1),
  via: fc.constant('test'),
  digest: fc.constant('d'),
}) as fc.Arbitrary<Decision>
const outcome = fc.record({
  kind: fc.constantFrom('ok' as const, 'error' as const),
  at: fc.constant(1),
  by: people,
})

const events: fc.Arbitrary<RequestEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('vote' as const),
    vote: fc.record({ by: people, at: fc.constant(1), via: fc.constant('test'), digest: fc.constant('d') }),
  }),
  fc.record({ kind: fc.constant('decide' as const), decision, approved: fc.constant({ digest: 'd' }) }),
  fc.constant({ kind: 'expire' as const }),
  fc.constant({ kind: 'become_unreachable' as const }),
  fc.record({ kind: fc.constant('cancel' as const), cause: fc.constant('withdrawn' as const), by: people }),
  fc.constant({ kind: 'lapse' as const }),
  fc.record({
    kind: fc.constant('claim' as const),
    claim: fc.record({
      id: fc.constantFrom('c1', 'c2'),
      key: fc.constantFrom('k1', 'k2'),
      by: people,
      at: fc.constant(1),
      leaseMs: fc.constant(1000),
    }),
  }),
  fc.record({
    kind: fc.constant('claim' as const),
    claim: fc.record({
      id: fc.constantFrom('c1', 'c2'),
      key: fc.constantFrom('k1', 'k2'),
      by: people,
      at: fc.constant(1),
      leaseMs: fc.constant(1000),
      handedOver: fc.constant({ callId: 'x' }),
    }),
  }),
  fc.record({ kind: fc.constant('abandon' as const), claimId: fc.constantFrom('c1', 'c2') }),
  fc.record({ kind: fc.constant('renew' as const), claimId: fc.constantFrom('c1', 'c2') }),
  fc.record({ kind: fc.constant('report' as const), claimId: fc.constantFrom('c1', 'c2'), outcome }),
  fc.constant({ kind: 'lose' as const }),
  fc.record({ kind: fc.constant('settle' as const), outcome }),
)

interface Trail {
  states: RequestState[]
  progress: Progress
  changes: { from: RequestState; event: RequestEvent; to: RequestState }[]
}

function play(kind: Request['kind'], list: RequestEvent[]): Trail {
  let state: RequestState = 'pending'
  let progress: Progress = {}
  const trail: Trail = { states: [state], progress, changes: [] }
  for (const event of list) {
    const next = step({ kind, state, progress }, event)
    if (next.kind !== 'change') continue
    trail.changes.push({ from: state, event, to: next.to })
    state = next.to
    progress = next.progress
    trail.states.push(state)
  }
  return { ...trail, progress }
}

describe('the life of a request', () => {
  it('is total: every state meets every event, and the answer is one of three', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STATES),
        fc.constantFrom('approval' as const, 'question' as const),
        events,
        (state, kind, event) => {
          const next = step({ kind, state, progress: {} }, event)
          expect(['change', 'repeat', 'refuse']).toContain(next.kind)
          if (next.kind === 'change') expect(STATES).toContain(next.to)
          if (next.kind === 'refuse') expect(sayInEnglish(next.reason)).toMatch(/ /)
        },
      ),
    )
  })

  it('P2: however events come, at most one decision is recorded and it never changes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('approval' as const, 'question' as const),
        fc.array(events, { maxLength: 30 }),
        (kind, list) => {
          const decided = play(kind, list).changes.filter(
            ({ event, from }) => event.kind === 'decide' && from === 'pending',
          )
          expect(decided.length).toBeLessThanOrEqual(1)
        },
      ),
    )
  })

  it('P4: however events come, a request is claimed at most once and only after an approval', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 40 }), (list) => {
        const { changes } = play('approval', list)
        const claims = changes.filter(({ event }) => event.kind === 'claim')
        expect(claims.length).toBeLessThanOrEqual(1)
        for (const claim of claims) expect(claim.from).toBe('approved')
      }),
    )
  })

  it('P5: nothing but an approval leads to approved, and nothing leaves a final state', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('approval' as const, 'question' as const),
        fc.array(events, { maxLength: 40 }),
        (kind, list) => {
          for (const { from, event, to } of play(kind, list).changes) {
            expect(isFinal(from)).toBe(false)
            if (to === 'approved') {
              expect(kind).toBe('approval')
              expect(event.kind === 'decide' && ['approve', 'edit'].includes(event.decision.kind)).toBe(true)
            }
            if (kind === 'question')
              expect(['approved', 'running', 'unknown', 'done', 'lapsed', 'rejected']).not.toContain(to)
          }
        },
      ),
    )
  })

  it('P5: an ending by itself is guarded by its deadline', () => {
    for (const [state, kind] of [
      ['pending', 'expire'],
      ['approved', 'lapse'],
      ['running', 'lose'],
    ] as const) {
      const next = step({ kind: 'approval', state, progress: {} }, { kind })
      expect(next).toMatchObject({ kind: 'change', guard: 'after_deadline' })
    }
  })

  it('P2: a decision and a claim are guarded against the deadline that comes in the same instant', () => {
    const approve = {
      kind: 'decide',
      decision: { kind: 'approve', by: 'ana', at: 1, via: 't', digest: 'd' },
      approved: { digest: 'd' },
    } as const
    expect(step({ kind: 'approval', state: 'pending', progress: {} }, approve)).toMatchObject({
      guard: 'before_deadline',
    })
    const claim = { kind: 'claim', claim: { id: 'c', key: 'k', by: 'a', at: 1, leaseMs: 1 } } as const
    expect(step({ kind: 'approval', state: 'approved', progress: {} }, claim)).toMatchObject({
      guard: 'before_deadline',
    })
  })

  it('P9: a look under a mask is noted once for each person and call, and only while it is pending', () => {
    const look = { by: 'ana', at: 1, via: 't', digest: 'd' }
    const first = step({ kind: 'approval', state: 'pending', progress: {} }, { kind: 'look', look })
    expect(first).toMatchObject({
      kind: 'change',
      to: 'pending',
      deadline: 'keep',
      progress: { looks: [look] },
    })
    const looked = { kind: 'approval', state: 'pending', progress: { looks: [look] } } as const
    expect(step({ ...looked, progress: { looks: [look] } }, { kind: 'look', look })).toEqual({
      kind: 'repeat',
    })
    const others = [
      { ...look, by: 'ben' },
      { ...look, digest: 'e' },
    ]
    for (const other of others) {
      const next = step({ ...looked, progress: { looks: [look] } }, { kind: 'look', look: other })
      expect(next).toMatchObject({ kind: 'change', progress: { looks: [look, other] } })
    }
    expect(step({ kind: 'approval', state: 'done', progress: {} }, { kind: 'look', look })).toEqual({
      kind: 'repeat',
    })
  })

  it('an edit makes earlier votes fall', () => {
    const voted: Progress = { votes: [{ by: 'ana', at: 1, via: 't', digest: 'd' }] }
    const terms = { conditions: [], allowedDecisions: [], scopes: [], severity: 'normal' as const }
    const vote = { by: 'ben', at: 2, via: 't', digest: 'e' }
    const next = step(
      { kind: 'approval', state: 'pending', progress: voted },
      { kind: 'vote', vote, edit: { digest: 'e', bytes: '{}', by: 'ben', terms } },
    )
    expect(next).toMatchObject({ kind: 'change', progress: { votes: [vote] } })
  })
})

describe('P2: repeating one’s own answer', () => {
  const by = { by: 'ana', at: 1, via: 'test', digest: 'd' }
  const answered = (text: string) => ({ kind: 'decide', decision: { kind: 'respond', text, ...by } }) as const
  const edited = (digest: string) =>
    ({ kind: 'decide', decision: { kind: 'edit', ...by }, approved: { digest } }) as const

  it.each([
    ['a response', 'answered', answered('yes'), answered('no')],
    ['an edit', 'approved', edited('d1'), edited('d2')],
  ] as const)('%s: the same is a success, another one is told what holds', (_, state, first, second) => {
    const progress = {
      decision: first.decision,
      ...('approved' in first ? { approved: first.approved } : {}),
    }
    const request = { kind: 'approval', state, progress } as const
    expect(step(request, first)).toEqual({ kind: 'repeat' })
    expect(step(request, second)).toMatchObject({ kind: 'refuse', code: 'already_decided' })
  })
})

describe('P4: reporting again', () => {
  const claim = { id: 'c1', key: 'k', by: 'agent-1', at: 1, leaseMs: 1000 }
  const again = (recorded: object, reported: object) => {
    const of = (more: object) => ({ kind: 'ok' as const, at: 1, by: 'agent-1', ...more })
    const request = { kind: 'approval', state: 'done', progress: { claim, outcome: of(recorded) } } as const
    return step(request, { kind: 'report', claimId: 'c1', outcome: of(reported) }).kind
  }

  it('all that was said is compared, and of a row from before what was kept of it', () => {
    expect(again({ said: 'a', summary: 'x' }, { said: 'a', summary: 'x' })).toBe('repeat')
    expect(again({ said: 'a', summary: 'x' }, { said: 'b', summary: 'x' })).toBe('refuse')
    expect(again({ said: 'a', summary: 'x' }, { said: 'b' })).toBe('refuse')
    expect(again({ summary: 'x' }, { said: 'b', summary: 'x' })).toBe('repeat')
    expect(again({ summary: 'x' }, { said: 'b' })).toBe('repeat')
    expect(again({ summary: 'x' }, { said: 'b', summary: 'y' })).toBe('refuse')
  })
})
