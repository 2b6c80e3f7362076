import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createChainWriter, genesis, nextHash } from './entry.ts'

const sha256 = (text: string) => hash('sha256', text, 'hex')

describe('the chain of hashes', () => {
  it('P10: is SHA-256 of the hash before, the number and the SHA-256 of the body', () => {
    const start = sha256('banksman journal v1\nmain')
    const first = sha256(`${start}\n1\n${sha256('{"a":1}')}`)
    expect(genesis('main')).toEqual({ n: 0, hash: start })
    expect(nextHash(genesis('main'), '{"a":1}')).toEqual({ n: 1, hash: first })
  })

  it('P10: differs from the start between chains, so that entries of one don’t fit into another', () => {
    expect(nextHash(genesis('a'), '{}').hash).not.toBe(nextHash(genesis('b'), '{}').hash)
  })
})

describe('the writer of a chain', () => {
  it('writes canonical bodies with the members that every entry has', () => {
    const draft = createChainWriter('main').draft('session.mode', 7, { mode: 'plan', actor: 'ana' })
    expect(draft.body).toBe('{"actor":"ana","at":7,"mode":"plan","prev":null,"type":"session.mode","v":1}')
    expect(draft).toMatchObject({ chain: 'main', type: 'session.mode' })
    expect(draft).not.toHaveProperty('request')
  })

  it('names request and version in the columns and in the body', () => {
    const draft = createChainWriter('main').draft('request.opened', 7, {}, { request: 'r1', version: 1 })
    expect(draft).toMatchObject({ request: 'r1', version: 1 })
    expect(JSON.parse(draft.body)).toMatchObject({ request: 'r1', version: 1 })
  })

  it('does not let a member take the place of what every entry has', () => {
    const draft = createChainWriter('main').draft('session.mode', 7, { at: 1, v: 9, prev: 'x', type: 'y' })
    expect(JSON.parse(draft.body)).toEqual({ at: 7, v: 1, prev: null, type: 'session.mode' })
  })

  it('P10: vouches for the newest entry that it knows to be committed', () => {
    const writer = createChainWriter('main')
    const first = writer.draft('calls.judged', 1, {})
    const second = writer.draft('calls.judged', 2, {})
    expect(JSON.parse(second.body).prev).toBeNull()
    first.committed(1)
    const third = writer.draft('calls.judged', 3, {})
    expect(JSON.parse(third.body).prev).toEqual(nextHash(genesis('main'), first.body))
  })

  it('P10: has the same head in whatever order the numbers come back', () => {
    const shuffled = fc.integer({ min: 1, max: 30 }).chain((count) =>
      fc.shuffledSubarray(
        Array.from({ length: count }, (_, index) => index),
        { minLength: count },
      ),
    )
    fc.assert(
      fc.property(shuffled, (order) => {
        const writer = createChainWriter('main')
        const drafts = order.map((_, index) => writer.draft('calls.judged', index, {}))
        for (const index of order) drafts[index]!.committed(index + 1)
        const expected = drafts.reduce((head, draft) => nextHash(head, draft.body), genesis('main'))
        expect(writer.head()).toEqual(expected)
      }),
    )
  })

  it('P10: does not vouch beyond a number that has not come back', () => {
    const writer = createChainWriter('main')
    const drafts = [1, 2, 3].map((at) => writer.draft('calls.judged', at, {}))
    drafts[2]!.committed(3)
    drafts[0]!.committed(1)
    expect(writer.head().n).toBe(1)
    drafts[1]!.committed(2)
    expect(writer.head().n).toBe(3)
  })

  it('P10: goes over to another chain, and what was drafted for the old one is refused from then on', () => {
    const writer = createChainWriter('main')
    const early = writer.draft('session.mode', 1, {})
    expect(early.follows).toBe(0)
    writer.draft('session.mode', 1, { a: 1 }).committed(1)
    const late = writer.draftTexts('session.mode', 2, { a: '2' })
    expect([early.follows, late.follows]).toEqual([1, 1])
    const old = writer.head()

    const next = writer.next()
    const opened = next.draft('chain.opened', 3, { after: [] })
    expect([next.chain, opened.chain, opened.follows, writer.chain]).toEqual(['main.2', 'main.2', 0, 'main'])
    opened.committed(1)
    expect(writer.head()).toEqual(old)
    next.begin()
    expect(writer.chain).toBe('main.2')
    expect(writer.head()).toEqual(nextHash(genesis('main.2'), opened.body))
    expect([early.follows, late.follows]).toEqual([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])
    late.committed(2)
    expect(writer.head().n).toBe(1)
    const draft = writer.draft('session.mode', 4, {})
    expect(JSON.parse(draft.body).prev).toEqual(writer.head())
    expect(draft.chain).toBe('main.2')
    expect(writer.next().chain).toBe('main.3')
  })
})
