import { describe, expect, it } from 'vitest'
import type { WireSuggestion } from '../../client/index.ts'
import { sayDecisionAction } from '../../display/words/decisions.ts'
import { makeRequest } from '../fixtures/requests.ts'
import { watching } from '../fixtures/watching.ts'
import { readChoice } from './grant-choice.ts'
import { watchWords } from './watch-words.ts'

const words = watchWords('en')
const matched = { calls: 3, of: 9, days: 30, asked: 1, rejected: 0, denied: 0, examples: ['write_file: x'] }
const exact: WireSuggestion = { id: 'call', width: 'call', words: 'exactly this call', matched }
const shape: WireSuggestion = { id: 'shape', width: 'shape', words: 'this tool in this folder', matched }
const scopes = ['once', 'session', 'always'] as const

function choosing(parts: Parameters<typeof makeRequest>[1] = {}) {
  const watch = watching()
  watch.appear(makeRequest('a', { scopes: [...scopes], ...parts }))
  watch.press('a')
  return watch
}
const suggested = (watch: ReturnType<typeof watching>, suggestions: WireSuggestion[]) =>
  watch.feed({ kind: 'suggested', id: 'a', suggestions, at: watch.at() })

describe('approving more than one call', () => {
  it('offers every width in every scope, and sends the one that was chosen', () => {
    const watch = choosing()
    expect(watch.actions.at(-1)).toMatchObject({ kind: 'suggest', request: { id: 'a' } })
    suggested(watch, [exact, shape])
    expect(watch.outputs.at(-1)).toEqual({
      kind: 'choices',
      choices: [
        { scope: 'session', suggestion: exact },
        { scope: 'always', suggestion: exact },
        { scope: 'session', suggestion: shape },
        { scope: 'always', suggestion: shape },
      ],
    })
    watch.press('3')
    watch.type(' 8h')
    watch.enter()
    const decision = {
      decision: 'approve',
      digest: 'digest of a',
      scope: 'session',
      grant: { suggestion: 'shape', expiresIn: '8h' },
    }
    expect(watch.decisions()).toEqual([{ kind: 'decide', id: 'a', decision }])
  })

  it('a number that was typed before the choices were there chooses nothing', () => {
    const watch = choosing()
    watch.press('1')
    watch.enter()
    suggested(watch, [exact])
    watch.press('1', 100)
    watch.press({ kind: 'enter' }, 100)
    expect(watch.decisions()).toEqual([])
  })

  it('P3: a grave one needs the word, whatever is chosen', () => {
    const watch = choosing({ severity: 'critical' })
    suggested(watch, [exact])
    watch.press('1')
    watch.enter()
    expect(watch.decisions()).toEqual([])
    watch.type('yes')
    watch.enter()
    expect(watch.decisions()).toMatchObject([{ decision: { decision: 'approve', scope: 'session' } }])
  })

  it('where nothing more can be allowed, it says so and goes back', () => {
    for (const suggestions of [[], [exact]]) {
      const watch = choosing(suggestions.length === 0 ? {} : { scopes: ['once'] })
      suggested(watch, suggestions)
      expect(watch.said()).toContain(words.noChoices)
      watch.press('y')
      expect(watch.decisions()).toMatchObject([{ decision: { decision: 'approve', digest: 'digest of a' } }])
    }
  })

  it('choices that come after it was decided elsewhere are not offered', () => {
    const watch = choosing()
    watch.change(makeRequest('a', { state: 'rejected', version: 2 }))
    suggested(watch, [exact])
    expect(watch.outputs.some(({ kind }) => kind === 'choices')).toBe(false)
  })

  it.each(['', '0', '2', '-1', '1.5', 'one', '1 soon', '1 0s', '1 366d', '1 2 3', '9999'])(
    '%j is no choice',
    (line) => {
      expect(readChoice([{ scope: 'session', suggestion: exact }], line, words).kind).toBe('bad')
    },
  )
})

describe('answering in its place, and ending the session', () => {
  const parts = { allowedDecisions: ['approve', 'respond', 'terminate'] as const }

  it('r sends the words as the result, and not nothing', () => {
    const watch = watching()
    watch.appear(makeRequest('a', { allowedDecisions: [...parts.allowedDecisions] }))
    watch.press('r')
    watch.enter()
    expect(watch.said()).toEqual([words.needsAnswer])
    watch.type('it is 42')
    watch.enter()
    expect(watch.decisions()).toMatchObject([{ decision: { decision: 'respond', text: 'it is 42' } }])
    watch.recorded(makeRequest('a', { state: 'answered', version: 2 }))
    expect(watch.said()).toContain('The agent gets your response.')
  })

  it('t asks once more before it ends the session', () => {
    const watch = watching()
    watch.appear(makeRequest('a', { allowedDecisions: [...parts.allowedDecisions] }))
    watch.press('t')
    expect(watch.decisions()).toEqual([])
    watch.press({ kind: 'escape' })
    watch.press('t')
    watch.type('enough')
    watch.enter()
    expect(watch.decisions()).toMatchObject([{ decision: { decision: 'terminate', reason: 'enough' } }])
    watch.recorded(makeRequest('a', { state: 'terminated', version: 2 }))
    expect(watch.said()).toContain('Session ended.')
  })

  it.each([
    ['r', 'respond'],
    ['t', 'terminate'],
    ['a', 'approve'],
    ['A', 'approve'],
  ] as const)('%s is refused where %s is not offered', (key, decision) => {
    const watch = watching()
    watch.appear(makeRequest('a', { allowedDecisions: ['reject'] }))
    watch.press(key)
    expect(watch.said()).toEqual([words.notOffered(sayDecisionAction(decision, 'en'))])
  })
})
