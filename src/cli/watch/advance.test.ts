import { describe, expect, it } from 'vitest'
import type { WireRequest } from '../../client/index.ts'
import { makeQuestion, makeRequest } from '../fixtures/requests.ts'
import { advance } from './advance.ts'
import { type Action, initialState, type Key, type Output, type WatchInput } from './watch-state.ts'
import { watchWords } from './words.ts'

const words = watchWords('en')

/** A person before the screen. Time goes on by a second with everything that happens, unless it is said otherwise. */
function watching(self = 'ana') {
  let state = initialState(self)
  let at = 0
  const outputs: Output[] = []
  const actions: Action[] = []
  const feed = (input: WatchInput) => {
    const step = advance(state, input, words)
    state = step.state
    outputs.push(...step.outputs)
    actions.push(...step.actions)
  }
  const press = (key: Key | string, afterMs = 1000) => {
    at += afterMs
    feed({ kind: 'key', key: typeof key === 'string' ? { kind: 'text', text: key } : key, at })
  }
  return {
    feed,
    press,
    type(text: string) {
      for (const character of text) press(character, 50)
    },
    enter: () => press({ kind: 'enter' }),
    change: (request: WireRequest) => feed({ kind: 'changed', request, at }),
    fetched: (request: WireRequest) => feed({ kind: 'fetched', request, at }),
    /** It comes in, is fetched and shown. */
    appear(request: WireRequest) {
      feed({ kind: 'changed', request, at })
      feed({ kind: 'fetched', request, at })
    },
    recorded: (request: WireRequest, isDecided = true) => feed({ kind: 'recorded', request, isDecided }),
    refused: (id: string, code: string) => feed({ kind: 'refused', id, code, detail: `it is ${code}`, at }),
    edited: (id: string, result: Extract<WatchInput, { kind: 'edited' }>['result']) =>
      feed({ kind: 'edited', id, result, at }),
    state: () => state,
    at: () => at,
    decisions: () => actions.filter((action) => action.kind === 'decide'),
    fetches: () => actions.flatMap((action) => (action.kind === 'fetch' ? [action.id] : [])),
    actions,
    said: () => outputs.flatMap((output) => ('text' in output ? [output.text] : [])),
    shown: () => outputs.flatMap((output) => (output.kind === 'request' ? [output.request.id] : [])),
    outputs,
  }
}

describe('one request at a time', () => {
  it('is fetched whole, shown, approved, and the next follows', () => {
    const watch = watching()
    watch.feed({ kind: 'listed', requests: [makeRequest('a'), makeRequest('b')] })
    expect(watch.fetches()).toEqual(['a'])
    watch.fetched(makeRequest('a'))
    watch.press('y')
    expect(watch.decisions()).toEqual([
      { kind: 'decide', id: 'a', decision: { decision: 'approve', digest: 'digest of a' } },
    ])
    watch.recorded(makeRequest('a', { state: 'approved', version: 2 }))
    expect(watch.said()).toContain(words.approved)
    expect(watch.fetches()).toEqual(['a', 'b'])
  })

  it('says that nothing waits, once', () => {
    const watch = watching()
    watch.feed({ kind: 'listed', requests: [] })
    watch.feed({ kind: 'listed', requests: [] })
    expect(watch.said()).toEqual([words.idle])
  })

  it('shows only what this person may decide and has not voted on', () => {
    const watch = watching()
    const vote = { by: 'ana', at: 1, via: 'http', digest: 'digest of voted' }
    watch.feed({
      kind: 'listed',
      requests: [
        makeRequest('others', { yours: false }),
        makeRequest('over', { state: 'approved' }),
        makeRequest('voted', { votes: [vote] }),
        makeRequest('mine', { votes: [{ ...vote, digest: 'digest of mine', by: 'ben' }] }),
      ],
    })
    expect(watch.fetches()).toEqual(['mine'])
  })

  it('one that changed while it was fetched is fetched again', () => {
    const watch = watching()
    watch.change(makeRequest('a'))
    watch.change(makeRequest('a', { version: 3, digest: 'edited' }))
    watch.fetched(makeRequest('a'))
    expect(watch.shown()).toEqual([])
    watch.fetched(makeRequest('a', { version: 3, digest: 'edited' }))
    watch.press('y')
    expect(watch.decisions()).toEqual([
      { kind: 'decide', id: 'a', decision: { decision: 'approve', digest: 'edited' } },
    ])
  })

  it('a skipped one does not come back, unless it changes', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('s')
    watch.feed({ kind: 'listed', requests: [makeRequest('a')] })
    expect(watch.fetches()).toEqual(['a'])
    watch.change(makeRequest('a', { version: 2, digest: 'edited' }))
    expect(watch.fetches()).toEqual(['a', 'a'])
  })

  it('a vote below the quorum is said to be one, and is not asked for again', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('y')
    const voted = makeRequest('a', {
      version: 2,
      votes: [{ by: 'ana', at: 1, via: 'http', digest: 'digest of a' }],
    })
    watch.recorded(voted, false)
    watch.change(voted)
    expect(watch.said()).toEqual([words.voted, words.idle])
    expect(watch.fetches()).toEqual(['a'])
  })

  it('tells how it ended, once', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('y')
    watch.recorded(makeRequest('a', { state: 'approved', version: 2 }))
    const done = makeRequest('a', { state: 'done', version: 4 })
    watch.change(makeRequest('a', { state: 'running', version: 3 }))
    watch.change(done)
    watch.change(done)
    expect(watch.outputs.filter(({ kind }) => kind === 'ended')).toHaveLength(1)
  })
})

describe('keys that nobody can have meant', () => {
  it.each([0, 1, 499])('P11: a key %i ms after the request appeared does nothing', (afterMs) => {
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
  ])('%s is refused where %s is not offered', (key, decision) => {
    const watch = watching()
    watch.appear(makeRequest('a', { allowedDecisions: ['terminate'] }))
    watch.press(key)
    expect(watch.said()).toEqual([words.notOffered(decision)])
    expect(watch.actions.filter(({ kind }) => kind !== 'fetch')).toEqual([])
  })
})

describe('others are faster', () => {
  it('P2: who comes too late is told, and the next follows', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.change(makeRequest('b'))
    watch.press('y')
    watch.refused('a', 'already_decided')
    expect(watch.said()).toEqual([words.refused('it is already_decided')])
    expect(watch.fetches()).toEqual(['a', 'b'])
  })

  it('an answer from elsewhere is shown at once', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.change(
      makeRequest('a', {
        state: 'rejected',
        version: 2,
        decision: { kind: 'reject', by: 'ben', at: 1, via: 'http', digest: 'x' },
      }),
    )
    expect(watch.outputs.at(-2)).toMatchObject({ kind: 'gone', request: { id: 'a' } })
  })

  it('P3: when the arguments change on the screen, it is shown again and needs a new look', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('z', 2000)
    watch.change(makeRequest('a', { version: 2, digest: 'edited' }))
    watch.press('y')
    expect(watch.decisions()).toEqual([])
    watch.fetched(makeRequest('a', { version: 2, digest: 'edited' }))
    watch.press('y', 100)
    expect(watch.decisions()).toEqual([])
    watch.press('y')
    expect(watch.decisions()).toEqual([
      { kind: 'decide', id: 'a', decision: { decision: 'approve', digest: 'edited' } },
    ])
  })

  it('P3: a digest that is no longer asked is not sent again by itself', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('y')
    watch.refused('a', 'digest_mismatch')
    expect(watch.decisions()).toHaveLength(1)
    expect(watch.fetches()).toEqual(['a', 'a'])
  })

  it('after a lost connection the request on the screen is asked for again', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.feed({ kind: 'connection', status: { kind: 'lost', retryInMs: 800 } })
    watch.feed({ kind: 'connection', status: { kind: 'lost', retryInMs: 1600 } })
    watch.feed({ kind: 'connection', status: { kind: 'connected' } })
    watch.feed({ kind: 'listed', requests: [] })
    expect(watch.said()).toEqual([words.lost(1), words.connected])
    watch.fetched(makeRequest('a', { state: 'expired', version: 2 }))
    expect(watch.outputs.some(({ kind }) => kind === 'gone')).toBe(true)
  })

  it('whether it arrived is not known: it stays, and can be sent again', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('y')
    watch.refused('a', 'unreachable')
    watch.press('y')
    expect(watch.decisions()).toHaveLength(2)
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
    expect(watch.said()).toContain(words.answered)
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
    expect(watch.said()).toContain(words.declined)
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
