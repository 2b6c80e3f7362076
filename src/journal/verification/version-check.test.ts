import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { journalOf, type Step, writeChain } from '../../../test/fixtures/journals.ts'
import { verifyJournal } from './verify-journal.ts'

describe('the versions of requests', () => {
  const step = (version: number, request = 'r'): Step => ({
    type: version === 1 ? 'request.opened' : 'request.voted',
    about: { request, version },
  })

  it('P10: are each there once, across chains and in any order of the chains', async () => {
    const distributed = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('r', 's')), {
      minLength: 1,
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(distributed, fc.nat(), async (places, random) => {
        const steps = new Map<string, Step[]>()
        const newest = new Map<string, number>()
        for (const [chain, request] of places) {
          const version = (newest.get(request) ?? 0) + 1
          newest.set(request, version)
          steps.set(chain, [...(steps.get(chain) ?? []), step(version, request)])
        }
        const write = () => [...steps].map(([chain, list]) => writeChain(chain, list))
        const report = await verifyJournal(journalOf(...write()))
        expect(report).toMatchObject({ ok: true, requests: newest.size })

        const [chain, list] = [...steps][random % steps.size]!
        const lost = list[random % list.length]!.about!
        steps.set(chain, [...list, { type: 'request.voted', about: lost }])
        const twice = await verifyJournal(journalOf(...write()))
        expect(twice.problems).toMatchObject([{ kind: 'version_twice', ...lostAs(lost) }])

        steps.set(chain, [...list.filter((one) => one.about !== lost), { type: 'calls.judged' }])
        const gap = await verifyJournal(journalOf(...write()))
        const wasNewest = lost.version === newest.get(lost.request)
        expect(gap.problems).toMatchObject(wasNewest ? [] : [{ kind: 'version_gap', ...lostAs(lost) }])
      }),
    )
  })

  it('P10: a whole chain that was taken away leaves a gap in them', async () => {
    const [a, b, c] = [
      writeChain('a', [step(1)]),
      writeChain('b', [step(2), step(3)]),
      writeChain('c', [step(4)]),
    ]
    expect((await verifyJournal(journalOf(a, b, c))).ok).toBe(true)
    const report = await verifyJournal(journalOf(a, c))
    expect(report.problems).toMatchObject([{ kind: 'version_gap', request: 'r', from: 2, to: 3 }])
  })

  it('are not counted by entries that name a request without changing it', async () => {
    const seen: Step = { type: 'attempt.refused', about: { request: 'r', version: 1 } }
    expect((await verifyJournal(journalOf(writeChain('a', [step(1), seen, seen, step(2)])))).ok).toBe(true)
  })
})

function lostAs({ request, version }: { request: string; version: number }) {
  return { request, from: version, to: version }
}
