import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DecisionKind } from '../../core/decision.ts'
import type { RequestState } from '../../core/request.ts'
import {
  type CallFact,
  figuresOf,
  medianOf,
  percentileOf,
  periodOf,
  type RequestFact,
} from './oversight-figures.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 7, 14, 12)
const PERIOD = periodOf(14, 0, NOON)

function asked(parts: Partial<RequestFact> = {}): CallFact {
  const createdAt = parts.createdAt ?? NOON - HOUR
  return {
    at: createdAt,
    verdict: 'ask',
    request: { state: 'pending', rules: ['default'], createdAt, ...parts },
  }
}

function decided(by: string, createdAt: number, at: number, kind: DecisionKind = 'approve'): CallFact {
  const state: RequestState = kind === 'approve' ? 'done' : 'rejected'
  return asked({ createdAt, state, decision: { by, at, kind } })
}

const BOUNDS = [1000, 5000, 15_000, 60_000, 300_000, HOUR, DAY]
const time = fc.oneof(
  fc.integer({ min: 0, max: 10 * DAY }),
  fc.constantFrom(...BOUNDS.flatMap((bound) => [bound - 1, bound])),
)
const times = fc.array(time, { maxLength: 60 })

describe('median and percentile', () => {
  it('are what a naive count says', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 40 }), (values) => {
        const median = medianOf(values)
        if (values.length === 0) {
          expect([median, percentileOf(values, 90)]).toEqual([null, null])
          return
        }
        expect(median).toBe(naiveMedian(values))
        const p90 = percentileOf(values, 90)!
        expect(values).toContain(p90)
        expect(values.filter((value) => value <= p90).length).toBeGreaterThanOrEqual(values.length * 0.9)
        expect(values.filter((value) => value < p90).length).toBeLessThan(values.length * 0.9)
      }),
    )
  })

  it('leave what they are given as it is', () => {
    const values = [3, 1, 2]
    expect([medianOf(values), percentileOf(values, 90), values]).toEqual([2, 3, [3, 1, 2]])
  })
})

describe('the period', () => {
  it("is so many of the reader's days, today's included", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: -720, max: 840 }),
        fc.integer({ min: NOON, max: NOON + 3 * DAY }),
        (days, offsetMinutes, now) => {
          const { from, to } = periodOf(days, offsetMinutes, now)
          expect(to).toBe(now)
          expect(((from + offsetMinutes * 60_000) % DAY) + 0).toBe(0)
          expect(now - from).toBeGreaterThanOrEqual((days - 1) * DAY)
          expect(now - from).toBeLessThan(days * DAY)
          const { perDay } = figuresOf([{ at: now, verdict: 'allow' }], { days, offsetMinutes, from, to })
          expect(perDay).toHaveLength(days)
          const today = new Date(now + offsetMinutes * 60_000).toISOString().slice(0, 10)
          expect(perDay.at(-1)).toEqual({ day: today, allowed: 1, denied: 0, asked: 0 })
        },
      ),
    )
  })

  it("begins at the reader's midnight: 16:00 UTC where the day begins eight hours before", () => {
    const period = periodOf(2, 480, NOON)
    expect(new Date(period.from).toISOString()).toBe('2026-08-12T16:00:00.000Z')
    const calls: CallFact[] = [
      { at: period.from - 1, verdict: 'allow' },
      { at: period.from, verdict: 'allow' },
      { at: period.from + DAY - 1, verdict: 'deny' },
      { at: period.from + DAY, verdict: 'allow' },
      asked({ createdAt: NOON }),
      { at: NOON + 1, verdict: 'allow' },
    ]
    const { calls: count, perDay } = figuresOf(calls, period)
    expect(count).toBe(4)
    expect(perDay).toEqual([
      { day: '2026-08-13', allowed: 1, denied: 1, asked: 0 },
      { day: '2026-08-14', allowed: 1, denied: 0, asked: 1 },
    ])
  })
})

describe('the figures', () => {
  it('of nothing are noughts and nulls', () => {
    const figures = figuresOf([], PERIOD)
    expect(figures).toMatchObject({
      calls: 0,
      rules: [],
      states: {},
      timeToDecide: { decided: 0, medianMs: null, p90Ms: null },
      expiredShare: null,
      quick: { decisions: 0, streaks: [] },
      people: [],
    })
    expect(figures.perDay).toHaveLength(14)
    expect(figures.timeToDecide.buckets.map(({ belowMs }) => belowMs)).toEqual([...BOUNDS, null])
  })

  it('say of each rule what came of asking, the noisiest first', () => {
    const at = NOON - HOUR
    const { rules, states, expiredShare } = figuresOf(
      [
        asked({
          rules: ['b', 'a'],
          createdAt: at,
          state: 'done',
          decision: { kind: 'edit', by: 'ana', at: at + 4000 },
        }),
        asked({
          rules: ['b'],
          createdAt: at,
          state: 'rejected',
          decision: { kind: 'reject', by: 'ana', at: at + 8000 },
        }),
        asked({
          rules: ['b'],
          createdAt: at,
          state: 'terminated',
          decision: { kind: 'terminate', by: 'ana', at: at + 9000 },
        }),
        asked({
          rules: ['b'],
          createdAt: at,
          state: 'answered',
          decision: { kind: 'respond', by: 'ana', at: at + 10_000 },
        }),
        asked({ rules: ['a'], state: 'expired' }),
        asked({ rules: ['c'] }),
        asked({ rules: ['c'], state: 'unknown', decision: { kind: 'approve', by: 'ana', at: NOON } }),
      ],
      PERIOD,
    )
    expect(rules).toEqual([
      { rule: 'b', asked: 4, approved: 1, rejected: 2, expired: 0, medianMs: 8500 },
      { rule: 'a', asked: 2, approved: 1, rejected: 0, expired: 1, medianMs: 4000 },
      { rule: 'c', asked: 2, approved: 1, rejected: 0, expired: 0, medianMs: HOUR },
    ])
    expect(states).toEqual({
      done: 1,
      rejected: 1,
      terminated: 1,
      answered: 1,
      expired: 1,
      pending: 1,
      unknown: 1,
    })
    expect(expiredShare).toBe(1 / 5)
  })

  it('put each time into the one bucket that it belongs to', () => {
    fc.assert(
      fc.property(times, (taken) => {
        const from = NOON - 10 * DAY
        const period = periodOf(30, 0, NOON)
        const calls = taken.map((took, index) => decided(`p${index}`, from, from + took))
        const { buckets, decided: count, medianMs } = figuresOf(calls, period).timeToDecide
        expect(count).toBe(taken.length)
        expect(medianMs).toBe(taken.length === 0 ? null : naiveMedian(taken))
        let lower = 0
        for (const { belowMs, count } of buckets) {
          const upper = belowMs ?? Number.POSITIVE_INFINITY
          expect(count).toBe(taken.filter((took) => took >= lower && took < upper).length)
          lower = upper
        }
      }),
    )
  })

  it('never count a time below nothing, where two clocks disagree', () => {
    const { timeToDecide, people } = figuresOf([decided('ana', NOON - 10, NOON - 20)], PERIOD)
    expect(timeToDecide.medianMs).toBe(0)
    expect(people).toEqual([{ by: 'ana', decided: 1, approved: 1, medianMs: 0 }])
  })

  it('say who decides, most first', () => {
    const at = NOON - HOUR
    const { people } = figuresOf(
      [
        decided('ben', at, at + 2000),
        decided('ana', at, at + 1000, 'reject'),
        decided('ben', at, at + 5000, 'reject'),
        decided('cleo', at, at + 3000, 'edit'),
      ],
      PERIOD,
    )
    expect(people).toEqual([
      { by: 'ben', decided: 2, approved: 1, medianMs: 3500 },
      { by: 'ana', decided: 1, approved: 0, medianMs: 1000 },
      { by: 'cleo', decided: 1, approved: 1, medianMs: 3000 },
    ])
  })
})

describe('quick decisions', () => {
  const at = NOON - HOUR
  const quick = (calls: CallFact[]) => figuresOf(calls, PERIOD).quick

  it('come less than a second after there was something to decide', () => {
    expect(quick([decided('ana', at, at + 999)]).decisions).toBe(1)
    expect(quick([decided('ana', at, at + 1000)]).decisions).toBe(0)
  })

  it('are counted from the decision before, where requests have piled up', () => {
    const pile = [0, 5000, 5500, 6499, 7499].map((after, index) =>
      decided('ana', at + index, at + 10_000 + after),
    )
    expect(quick(pile)).toEqual({ decisions: 2, streaks: [] })
    // Somebody else's decisions take nothing off this person's table.
    expect(quick([decided('ana', at, at + 9000), decided('ben', at, at + 9100)]).decisions).toBe(0)
  })

  it('in a row are a streak, which a slower one ends and others do not', () => {
    const calls = [
      ...[0, 1, 2, 3].map((n) => decided('ana', at + n * 100, at + n * 100 + 50)),
      decided('ben', at, at + 200),
      decided('ana', at, at + 60_000),
      ...[0, 1].map((n) => decided('ana', at, at + 60_500 + n)),
      decided('ana', at, at + 90_000),
      ...[0, 1, 2].map((n) => decided('ana', at, at + 90_100 + n, 'reject')),
    ]
    const shuffled = calls.toReversed()
    expect(quick(shuffled)).toEqual({
      decisions: 10,
      streaks: [
        { by: 'ana', count: 4, from: at + 50, to: at + 350 },
        { by: 'ana', count: 3, from: at + 90_100, to: at + 90_102 },
      ],
    })
  })

  it('are ten streaks at most, the longest first', () => {
    const calls = Array.from({ length: 12 }, (_, person) =>
      Array.from({ length: 3 + person }, (_, n) => decided(`p${person}`, at + n, at + n)),
    ).flat()
    const { streaks } = quick(calls)
    expect(streaks.map(({ count }) => count)).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5])
  })

  it('are what a naive count says, in any order', () => {
    const decision = fc.record({
      by: fc.constantFrom('ana', 'ben'),
      created: fc.integer({ min: 0, max: 5000 }),
      // All at another moment: at one moment it is open which was first.
      took: fc.integer({ min: 0, max: 3000 }),
    })
    fc.assert(
      fc.property(fc.uniqueArray(decision, { maxLength: 30, selector: momentOf }), (decisions) => {
        const calls = decisions.map(({ by, created, took }) => decided(by, at + created, at + created + took))
        const found = quick(calls)
        let count = 0
        for (const one of decisions) {
          const before = decisions.filter((other) => other.by === one.by && momentOf(other) < momentOf(one))
          const free = Math.max(one.created, ...before.map(momentOf))
          if (momentOf(one) - free < 1000) count++
        }
        expect(found.decisions).toBe(count)
        const inStreaks = found.streaks.reduce((sum, streak) => sum + streak.count, 0)
        expect(inStreaks).toBeLessThanOrEqual(count)
        expect(found.streaks.every((streak) => streak.count >= 3 && streak.from <= streak.to)).toBe(true)
      }),
    )
  })
})

const momentOf = ({ created, took }: { created: number; took: number }) => created + took

function naiveMedian(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  while (sorted.length > 2) {
    sorted.pop()
    sorted.shift()
  }
  return sorted.reduce((sum, value) => sum + value, 0) / sorted.length
}
