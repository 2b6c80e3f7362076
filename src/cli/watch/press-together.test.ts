import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeQuestion, makeRequest } from '../fixtures/requests.ts'
import { watching } from '../fixtures/watching.ts'
import type { WatchKey } from './watch-state.ts'
import { watchWords } from './watch-words.ts'

const words = watchWords('en')

const keysOf = (text: string) =>
  [...text].map((one): WatchKey => (one === '\r' ? { kind: 'enter' } : { kind: 'text', text: one }))

/** A person who does not press keys but pastes. */
function pasting() {
  const watch = watching()
  let at = 0
  return {
    ...watch,
    paste(text: string, afterMs = 1000) {
      at = Math.max(at, watch.at()) + afterMs
      watch.feed({ kind: 'keys', keys: keysOf(text), at })
    },
    pressAfter(key: string, afterMs: number) {
      at += afterMs
      watch.feed({ kind: 'key', key: { kind: 'text', text: key }, at })
    },
  }
}

describe('several keys in one read', () => {
  it.each(['yes please do\r', 'write a plan\r', 'yy', 'Ay', 'quit', 's\r'])(
    'P5: %j is no answer to a request, and that is said once',
    (text) => {
      const watch = pasting()
      watch.appear(makeRequest('a'))
      watch.paste(text)
      expect(watch.actions).toEqual([{ kind: 'fetch', id: 'a' }])
      expect(watch.state().current).toMatchObject({ kind: 'shown', id: 'a', mode: { kind: 'reading' } })
      expect(watch.said().filter((each) => each === words.severalKeys)).toHaveLength(1)
    },
  )

  it('P5: what is left of them and comes a moment later is none either', () => {
    const watch = pasting()
    watch.appear(makeRequest('a'))
    watch.paste('es')
    watch.pressAfter('y', 100)
    expect(watch.decisions()).toEqual([])
    watch.pressAfter('y', 500)
    expect(watch.decisions()).toHaveLength(1)
  })

  it('P5: nor do they confirm an edit, approve all, or go on to the next', () => {
    const edit = pasting()
    edit.appear(makeRequest('a'))
    edit.press('e')
    edit.edited('a', { kind: 'arguments', arguments: { path: 'b' } })
    edit.paste('yes\r')
    expect(edit.decisions()).toEqual([])

    const all = pasting()
    all.appear(makeRequest('a'))
    all.change(makeRequest('b'))
    all.press('A')
    all.feed({ kind: 'gathered', id: 'a', requests: [makeRequest('b')], at: all.at() })
    all.paste('yy')
    expect(all.decisions()).toEqual([])

    const gone = pasting()
    gone.appear(makeRequest('a'))
    gone.change(makeRequest('b'))
    gone.press('n')
    gone.change(makeRequest('a', { state: 'expired', version: 2 }))
    gone.paste('because\r')
    expect(gone.state().current).toMatchObject({ id: 'a', mode: { kind: 'gone' } })
  })

  it('nothing is quit by them while nothing waits, but by Ctrl-C among them', () => {
    const watch = pasting()
    watch.feed({ kind: 'listed', requests: [] })
    watch.paste('quit')
    expect(watch.actions).toEqual([])
    expect(watch.said()).toContain(words.severalKeys)
    watch.feed({ kind: 'keys', keys: [...keysOf('y'), { kind: 'interrupt' }], at: 9000 })
    expect(watch.actions).toEqual([{ kind: 'quit' }])
  })

  it('are text where text is typed: a reason, an answer, the word yes', () => {
    const reason = pasting()
    reason.appear(makeRequest('a'))
    reason.press('n')
    reason.paste('use staging\r')
    expect(reason.decisions()).toMatchObject([{ decision: { decision: 'reject', reason: 'use staging' } }])

    const grave = pasting()
    grave.appear(makeRequest('a', { severity: 'high' }))
    grave.press('y')
    grave.paste('yes\r')
    expect(grave.decisions()).toMatchObject([{ decision: { decision: 'approve' } }])

    const question = pasting()
    question.appear(makeQuestion('q'))
    question.press('a')
    question.paste('2\rgrass\r')
    expect(question.decisions()).toMatchObject([{ decision: { decision: 'answer' } }])
    expect(question.said()).not.toContain(words.severalKeys)
  })

  it('P5: the word yes counts only where it was asked for before they came', () => {
    const watch = pasting()
    watch.appear(makeRequest('a', { severity: 'high', scopes: ['once', 'session'] }))
    watch.press('a')
    const matched = { calls: 0, of: 0, days: 30, asked: 0, rejected: 0, denied: 0, examples: [] }
    const suggestion = { id: 'exact', words: 'exactly this call', matched } as never
    watch.feed({ kind: 'suggested', id: 'a', suggestions: [suggestion], at: watch.at() })
    watch.paste('1\ryes\r')
    expect(watch.decisions()).toEqual([])
    expect(watch.said()).toContain(words.severalKeys)
    watch.paste('yes\r')
    expect(watch.decisions()).toMatchObject([{ decision: { decision: 'approve', scope: 'session' } }])
  })

  it('P5: whatever is pasted at a request, nothing is decided', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom(...'yYnNaArtesw?q1\r'), maxLength: 12 }))
    fc.assert(
      fc.property(texts, fc.nat(2000), (pasted, afterMs) => {
        const watch = pasting()
        watch.appear(makeRequest('a'))
        for (const text of pasted) watch.paste(text, afterMs)
        expect(watch.actions).toEqual([{ kind: 'fetch', id: 'a' }])
      }),
    )
  })
})

describe('capital letters', () => {
  it.each([...'YNESRTWQ'])('P5: %s is not the key of the small letter', (key) => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    const { outputs } = watch
    const before = outputs.length
    watch.press(key)
    expect(watch.actions).toEqual([{ kind: 'fetch', id: 'a' }])
    expect(outputs).toHaveLength(before)
    expect(watch.state().current).toMatchObject({ mode: { kind: 'reading' } })
  })

  it('P5: Y confirms neither an edit nor all at once', () => {
    const edit = watching()
    edit.appear(makeRequest('a'))
    edit.press('e')
    edit.edited('a', { kind: 'arguments', arguments: { path: 'b' } })
    edit.press('Y')
    expect(edit.decisions()).toEqual([])
    const all = watching()
    all.appear(makeRequest('a'))
    all.change(makeRequest('b'))
    all.press('A')
    all.feed({ kind: 'gathered', id: 'a', requests: [makeRequest('b')], at: all.at() })
    all.press('Y')
    expect(all.decisions()).toEqual([])
  })
})
