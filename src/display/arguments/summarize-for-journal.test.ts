import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json/json.ts'
import { maskArguments } from '../masks/mask.ts'
import { summarizeForJournal } from './summarize-for-journal.ts'

const TOKEN = `ghp_${'aB3dE6'.repeat(6)}`

const summarize = (args: JsonObject, limit: number) => summarizeForJournal(maskArguments(args), limit)

describe('summarizeForJournal', () => {
  it('P10: hands back small arguments without secrets as they are', () => {
    const args = { command: 'git status', timeout: 30 }
    expect(summarize(args, 1000)).toBe(args)
  })

  it('P10: masks secrets', () => {
    expect(summarize({ env: { TOKEN } }, 1000)).toEqual({
      env: { TOKEN: '⟨masked: GitHub token, 40 characters⟩' },
    })
  })

  it('P10: what looks like a mask in the journal is one', () => {
    const forged = '⟨masked: GitHub token, 40 characters⟩'
    expect(summarize({ x: forged, [forged]: 1 }, 1000)).toEqual({
      x: '⟨U+27E8⟩masked: GitHub token, 40 characters⟩',
      '⟨U+27E8⟩masked: GitHub token, 40 characters⟩': 1,
    })
  })

  it('P10: says how much of a long text is missing', () => {
    const summary = summarize({ content: 'x'.repeat(100_000) }, 2000)
    const [head, tail] = (summary.content as string).split('⟨… 98,976 characters left out⟩')
    expect(head!.length + tail!.length).toBe(1024)
  })

  it('P10: says how many items and members are missing', () => {
    const list = Array.from({ length: 1000 }, (_, index) => index)
    const members = Object.fromEntries(list.map((index) => [`k${index}`, index]))
    const summary = summarize({ list, members }, 1000)
    expect((summary.list as unknown[]).at(-1)).toBe('⟨… 936 items left out⟩')
    expect(Object.keys(summary.members as object).at(-1)).toBe('⟨… 936 members left out⟩')
  })

  it('P10: long keys that become the same are counted as missing', () => {
    const args = {
      [`${'k'.repeat(3000)}1${'z'.repeat(3000)}`]: 1,
      [`${'k'.repeat(3000)}2${'z'.repeat(3000)}`]: 2,
    }
    expect(Object.keys(summarize(args, 1500))).toContain('⟨… 1 member left out⟩')
  })

  it('P10: is bounded, and the same for the same arguments', () => {
    const someArguments = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4, noUnicodeString: false }), {
      maxKeys: 20,
    })
    fc.assert(
      fc.property(someArguments, fc.integer({ min: 60, max: 400 }), (value, limit) => {
        const args = value as JsonObject
        const summary = summarize(args, limit)
        expect(JSON.stringify(summary).length).toBeLessThanOrEqual(limit)
        expect(summarize(structuredClone(args), limit)).toEqual(summary)
      }),
      { numRuns: 300 },
    )
  })

  it('P10: a change of the arguments is either in the summary or marked as left out', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.string({ maxLength: 300 }), (one, other) => {
        const summaries = [one, other].map((text) => JSON.stringify(summarize({ text }, 200)))
        if (one !== other && summaries[0] === summaries[1]) expect(summaries[0]).toContain('left out⟩')
      }),
    )
  })

  it('P10: a megabyte of control characters stays within the bound', () => {
    expect(JSON.stringify(summarize({ x: '\u0001'.repeat(1 << 20) }, 4000)).length).toBeLessThanOrEqual(4000)
  })
})
