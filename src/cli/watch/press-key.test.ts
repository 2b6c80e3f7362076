import { describe, expect, it } from 'vitest'
import { sayDecisionAction } from '../../display/words/decisions.ts'
import { makeQuestion, makeRequest } from '../fixtures/requests.ts'
import { watching } from '../fixtures/watching.ts'
import { watchWords } from './watch-words.ts'

const words = watchWords('en')

describe('a call that is too long to be shown whole', () => {
  const rendering = { ...makeRequest('a').rendering, isShortened: true as const }

  it('P9: is approved only after its arguments were asked for in full', () => {
    const watch = watching()
    watch.appear(makeRequest('a', { rendering }))
    for (const key of ['y', 'a', 'A']) watch.press(key)
    expect(watch.decisions()).toEqual([])
    expect(watch.said().filter((text) => text === words.wholeFirst)).toHaveLength(3)
    watch.press('w')
    watch.press('y')
    expect(watch.decisions()).toHaveLength(1)
  })

  it('P9: holds up an approval of several', () => {
    const watch = watching()
    watch.appear(makeRequest('b'))
    watch.change(makeRequest('a', { rendering }))
    watch.press('A')
    watch.feed({ kind: 'gathered', id: 'b', requests: [makeRequest('a', { rendering })], at: watch.at() })
    watch.press('y', 2000)
    expect(watch.said()).toContain(words.tooLongAmongThem)
    expect(watch.decisions()).toHaveLength(1)
    expect(watch.decisions()[0]).toMatchObject({ id: 'b' })
  })
})

describe('keys that nobody can have meant', () => {
  it.each([0, 1, 499])('a key %i ms after the request appeared does nothing', (afterMs) => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('y', afterMs)
    expect(watch.decisions()).toEqual([])
  })

  it('half a second later it counts', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('y', 500)
    expect(watch.decisions()).toHaveLength(1)
  })

  it('a burst of typing that began too early stays one mistake', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    for (let count = 0; count < 20; count++) watch.press('y', 300)
    expect(watch.decisions()).toEqual([])
    watch.press('y', 500)
    expect(watch.decisions()).toHaveLength(1)
  })

  it('keys typed before there was a request are gone', () => {
    const watch = watching()
    watch.feed({ kind: 'listed', requests: [] })
    watch.press('y')
    watch.change(makeRequest('a'))
    watch.press('y')
    watch.fetched(makeRequest('a'))
    expect(watch.decisions()).toEqual([])
  })

  it('keys while a decision is under way do nothing', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('y')
    watch.press('y')
    watch.press('n')
    expect(watch.decisions()).toHaveLength(1)
  })

  it('what is typed on after a request went away does not hit the next one', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.change(makeRequest('b'))
    watch.press('n')
    watch.type('because')
    watch.change(makeRequest('a', { state: 'expired', version: 2 }))
    expect(watch.outputs.at(-1)?.kind).toBe('gone')
    watch.press('y')
    watch.press('y')
    expect(watch.fetches()).toEqual(['a'])
    watch.enter()
    expect(watch.fetches()).toEqual(['a', 'b'])
    expect(watch.decisions()).toEqual([])
  })
})

describe('grave calls need the word', () => {
  it.each(['high', 'critical'] as const)('y alone does not approve one that is %s', (severity) => {
    const watch = watching()
    watch.appear(makeRequest('a', { severity }))
    watch.press('y')
    watch.enter()
    expect(watch.decisions()).toEqual([])
    expect(watch.said()).toEqual([words.notConfirmed])
    watch.press('y')
    watch.type('y')
    watch.enter()
    watch.press('y')
    watch.type('YES')
    watch.enter()
    expect(watch.decisions()).toEqual([])
    watch.press('y')
    watch.type('yes')
    watch.enter()
    expect(watch.decisions()).toHaveLength(1)
  })

  it('an edit of one too', () => {
    const watch = watching()
    watch.appear(makeRequest('a', { severity: 'critical' }))
    watch.press('e')
    watch.edited('a', { kind: 'arguments', arguments: { path: 'other' } })
    watch.press('y')
    watch.enter()
    expect(watch.decisions()).toEqual([])
    watch.press('e')
    watch.edited('a', { kind: 'arguments', arguments: { path: 'other' } })
    watch.press('y', 500)
    watch.type('es')
    watch.enter()
    expect(watch.decisions()).toEqual([
      {
        kind: 'decide',
        id: 'a',
        decision: { decision: 'edit', digest: 'digest of a', arguments: { path: 'other' } },
      },
    ])
  })
})

describe('P9: a value that has to be uncovered', () => {
  const covered = { uncover: ['/password'], uncovered: false, because: 'Open it in the inbox to approve' }

  it.each(['y', 'a', 'A'])('is not approved with %s: it says where it can be', (key) => {
    const watch = watching()
    watch.feed({ kind: 'listed', requests: [makeRequest('a', { covered }), makeRequest('b')] })
    watch.fetched(makeRequest('a', { covered }))
    watch.press(key)
    expect(watch.decisions()).toEqual([])
    const [told, ...more] = watch.said()
    expect(told).toMatch(/^It can't be approved at the terminal: .*https:\/\/inbox\.example\/#\/pending\/a$/)
    expect(more).toEqual([told])
  })

  it('its page is named with the request, and not with others', () => {
    const watch = watching()
    watch.appear(makeRequest('a', { covered }))
    expect(watch.said()).toEqual([expect.stringContaining('https://inbox.example/#/pending/a')])
    const other = watching()
    other.appear(makeRequest('b'))
    expect(other.said()).toEqual([])
  })

  it('once it was uncovered in the inbox, it is not said to need that still', () => {
    const watch = watching()
    watch.appear(makeRequest('a', { covered }))
    watch.change(makeRequest('a', { covered: { ...covered, uncovered: true }, version: 2 }))
    watch.press('y')
    expect(watch.decisions()).toEqual([])
    expect(watch.said().at(-1)).toMatch(/at the terminal.*you have uncovered.*inbox\.example\/#\/pending\/a$/)
    expect(watch.said().at(-1)).not.toContain('Uncover and approve')
  })

  it('is rejected all the same, and one that only chats can not approve is approved here', () => {
    const watch = watching()
    watch.appear(makeRequest('a', { covered }))
    watch.press('n')
    watch.enter()
    expect(watch.decisions()).toHaveLength(1)
    const other = watching()
    other.appear(makeRequest('b', { covered: { ...covered, uncover: [], uncovered: true } }))
    other.press('y')
    expect(other.decisions()).toHaveLength(1)
  })
})

describe('rejecting and editing', () => {
  it('a reason can be corrected while it is typed', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('n')
    watch.type('wrong')
    watch.press({ kind: 'erase_line' })
    watch.type('use staging 😀!')
    watch.press({ kind: 'backspace' })
    watch.press({ kind: 'backspace' })
    watch.enter()
    expect(watch.decisions()).toEqual([
      {
        kind: 'decide',
        id: 'a',
        decision: { decision: 'reject', digest: 'digest of a', reason: 'use staging' },
      },
    ])
  })

  it('escape goes back without rejecting', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('n')
    watch.type('no')
    watch.press({ kind: 'escape' })
    watch.press('y')
    expect(watch.decisions()).toEqual([
      { kind: 'decide', id: 'a', decision: { decision: 'approve', digest: 'digest of a' } },
    ])
  })

  it('the difference is shown before an edit is sent, and can be turned down', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('e')
    expect(watch.actions.at(-1)).toMatchObject({ kind: 'edit' })
    watch.edited('a', { kind: 'arguments', arguments: { path: 'other' } })
    expect(watch.outputs.at(-1)).toMatchObject({ kind: 'difference', arguments: { path: 'other' } })
    watch.press('y', 400)
    expect(watch.decisions()).toEqual([])
    watch.press('n')
    watch.press('e')
    watch.edited('a', { kind: 'arguments', arguments: { path: 'other' } })
    watch.press('y')
    expect(watch.decisions()).toHaveLength(1)
  })

  it('an edit that was not taken is kept to go on with', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('e')
    watch.edited('a', { kind: 'failed', why: 'no JSON', text: '{"half' })
    watch.press('e')
    expect(watch.actions.at(-1)).toMatchObject({ kind: 'edit', draft: '{"half' })
  })

  it('an edit that the policy denies leaves the request where it was, with the edit', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('e')
    watch.edited('a', { kind: 'arguments', arguments: { path: '.banksman' } })
    watch.press('y')
    watch.refused('a', 'edit_denied')
    expect(watch.said()).toContain(words.refused('it is edit_denied'))
    watch.press('e')
    expect(watch.actions.at(-1)).toMatchObject({ kind: 'edit', draft: '{\n  "path": ".banksman"\n}' })
  })

  it('an edit that comes back after somebody else decided is not sent', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('e')
    watch.change(makeRequest('a', { state: 'rejected', version: 2 }))
    watch.edited('a', { kind: 'arguments', arguments: { path: 'other' } })
    expect(watch.said()).toContain(words.tooLate)
    watch.press('y')
    expect(watch.decisions()).toEqual([])
  })

  it.each([
    ['y', 'approve'],
    ['n', 'reject'],
    ['e', 'edit'],
  ] as const)('%s is refused where %s is not offered', (key, decision) => {
    const watch = watching()
    watch.appear(makeRequest('a', { allowedDecisions: ['terminate'] }))
    watch.press(key)
    expect(watch.said()).toEqual([words.notOffered(sayDecisionAction(decision, 'en'))])
    expect(watch.actions.filter(({ kind }) => kind !== 'fetch')).toEqual([])
  })
})

describe('questions', () => {
  it('are answered one after another, by number and in words', () => {
    const watch = watching()
    watch.appear(makeQuestion('q'))
    watch.press('y')
    watch.press('a')
    watch.type('2')
    watch.enter()
    watch.type('I like it')
    watch.enter()
    expect(watch.decisions()).toEqual([
      {
        kind: 'decide',
        id: 'q',
        decision: {
          decision: 'answer',
          digest: 'digest of q',
          answers: { color: { choices: ['green'] }, why: { text: 'I like it' } },
        },
      },
    ])
    watch.recorded(makeQuestion('q', { state: 'answered', version: 2 }))
    expect(watch.said()).toContain('Answered.')
  })

  it('an answer that is none is asked for again', () => {
    const watch = watching()
    watch.appear(makeQuestion('q'))
    watch.press('a')
    watch.type('blue')
    watch.enter()
    watch.enter()
    watch.type('7')
    watch.enter()
    expect(watch.said()).toEqual([words.noOwnWords, words.needsAnswer, words.noSuchOption(2)])
    expect(watch.decisions()).toEqual([])
  })

  it('can be declined', () => {
    const watch = watching()
    watch.appear(makeQuestion('q'))
    watch.press('n')
    watch.enter()
    watch.recorded(makeQuestion('q', { state: 'declined', version: 2 }))
    expect(watch.decisions()).toMatchObject([{ decision: { decision: 'reject' } }])
    expect(watch.said()).toContain('Declined.')
  })
})

describe('quitting', () => {
  it('by q while reading, by Ctrl-C always', () => {
    const idle = watching()
    idle.press('q')
    expect(idle.actions).toEqual([{ kind: 'quit' }])
    const typing = watching()
    typing.appear(makeRequest('a'))
    typing.press('n')
    typing.type('q')
    expect(typing.actions.some(({ kind }) => kind === 'quit')).toBe(false)
    typing.press({ kind: 'interrupt' }, 0)
    expect(typing.actions.at(-1)).toEqual({ kind: 'quit' })
  })
})
