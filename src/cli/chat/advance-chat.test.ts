import { describe, expect, it } from 'vitest'
import type { WireRequest } from '../../client/index.ts'
import { INBOX, makeQuestion, makeRequest } from '../fixtures/requests.ts'
import type { WatchInput } from '../watch/watch-state.ts'
import { watchWords } from '../watch/watch-words.ts'
import { feedWatch, followPiece, pressChatKey, pressChatKeys } from './advance-chat.ts'
import { type ChatAction, type ChatKey, type ChatOutput, initialChatState, skipped } from './chat-state.ts'
import { chatWords } from './chat-words.ts'
import type { NarratedPiece } from './narrate.ts'

const words = { chat: chatWords('en'), watch: watchWords('en') }

/** Time goes on by a second with every key, unless it is said otherwise. */
function chatting() {
  let state = initialChatState('ana', INBOX)
  let at = 0
  const outputs: ChatOutput[] = []
  const actions: ChatAction[] = []
  const take = (step: ReturnType<typeof pressChatKey>) => {
    state = step.state
    outputs.push(...step.outputs)
    actions.push(...step.actions)
  }
  const press = (key: ChatKey | string, afterMs = 1000) => {
    at += afterMs
    take(pressChatKey(state, typeof key === 'string' ? { kind: 'text', text: key } : key, at, words))
  }
  const paste = (text: string, afterMs = 1000) => {
    at += afterMs
    const keys = [...text].map((one): ChatKey => {
      return one === '\r'
        ? { kind: 'enter' }
        : one === '\u0004'
          ? { kind: 'leave' }
          : { kind: 'text', text: one }
    })
    take(pressChatKeys(state, keys, at, words))
  }
  const feed = (input: WatchInput) => take(feedWatch(state, input, words))
  return {
    press,
    /** In one read, and without the marks of a terminal that knows what a paste is. */
    paste,
    feed,
    type: (text: string) => {
      for (const character of text) press(character, 50)
    },
    enter: () => press({ kind: 'enter' }),
    tell: (piece: NarratedPiece) => {
      state = followPiece(state, piece)
    },
    appear(request: WireRequest) {
      state = followPiece(state, { kind: 'waiting', request: request.id })
      feed({ kind: 'changed', request, at })
      feed({ kind: 'fetched', request, at })
    },
    state: () => state,
    at: () => at,
    actions,
    outputs,
    decisions: () => actions.filter(({ kind }) => kind === 'decide'),
  }
}

describe('writing messages', () => {
  it('a line is sent by Enter, and lines while the agent works too', () => {
    const chat = chatting()
    chat.type('hello wrold')
    chat.press({ kind: 'erase_word' })
    chat.type('world')
    chat.enter()
    chat.tell({ kind: 'begun', turn: 't1' })
    chat.type('faster')
    chat.enter()
    chat.enter()
    expect(chat.actions).toEqual([
      { kind: 'say', text: 'hello world' },
      { kind: 'say', text: 'faster' },
    ])
    expect(chat.outputs).toEqual([
      { kind: 'said', text: 'hello world' },
      { kind: 'said', text: 'faster' },
    ])
  })

  it('pasted lines are one message, and send nothing by themselves', () => {
    const chat = chatting()
    chat.press({ kind: 'paste', text: 'one\ntwo\n' })
    expect(chat.actions).toEqual([])
    chat.enter()
    expect(chat.actions).toEqual([{ kind: 'say', text: 'one\ntwo' }])
  })

  it('a message has a bound', () => {
    const chat = chatting()
    chat.press({ kind: 'paste', text: 'x'.repeat(100_000) })
    expect(chat.state().typed.length).toBe(60_000)
  })

  it.each([
    ['/exit', { kind: 'leave' }],
    ['/quit', { kind: 'leave' }],
  ])('%s leaves', (line, action) => {
    const chat = chatting()
    chat.type(line)
    chat.enter()
    expect(chat.actions).toEqual([action])
  })
})

describe('a call on the screen has the keys', () => {
  it('P3: y approves what is shown, and the half-written message waits', () => {
    const chat = chatting()
    chat.type('and th')
    chat.appear(makeRequest('a'))
    chat.press('y')
    expect(chat.decisions()).toEqual([
      { kind: 'decide', id: 'a', decision: { decision: 'approve', digest: 'digest of a' } },
    ])
    chat.feed({
      kind: 'recorded',
      request: makeRequest('a', { state: 'approved', version: 2 }),
      isDecided: true,
    })
    chat.type('en')
    expect(chat.state().typed).toBe('and then')
  })

  it('what is typed on when it appears is no answer, and neither is what is pasted', () => {
    const chat = chatting()
    chat.appear(makeRequest('a'))
    for (let count = 0; count < 20; count++) chat.press('y', 100)
    expect(chat.decisions()).toEqual([])
    chat.press({ kind: 'paste', text: 'y' })
    chat.press({ kind: 'paste', text: 'y\n' })
    expect(chat.decisions()).toEqual([])
    expect(chat.outputs).toContainEqual({ kind: 'bad', text: words.watch.severalKeys })
    chat.press('q')
    expect(chat.actions.filter(({ kind }) => kind !== 'fetch')).toEqual([])
  })

  it.each(['yes please do\r', 'write a plan\r', 'yy'])(
    'P5: %j in one read is no answer, and that is said',
    (text) => {
      const chat = chatting()
      chat.type('and th')
      chat.appear(makeRequest('a'))
      chat.paste(text)
      expect(chat.actions).toEqual([{ kind: 'fetch', id: 'a' }])
      expect(chat.outputs.slice(1)).toEqual([{ kind: 'bad', text: words.watch.severalKeys }])
      expect(chat.state().typed).toBe('and th')
      chat.press('y')
      expect(chat.decisions()).toHaveLength(1)
    },
  )

  it('what came in one read is text in a message and in a reason, and leaving is leaving', () => {
    const chat = chatting()
    chat.paste('hello\r')
    expect(chat.actions).toEqual([{ kind: 'say', text: 'hello' }])
    chat.appear(makeRequest('a'))
    chat.press('n')
    chat.paste('use staging\r')
    expect(chat.decisions()).toMatchObject([{ decision: { decision: 'reject', reason: 'use staging' } }])
    const other = chatting()
    other.appear(makeRequest('a'))
    other.paste('y\u0004')
    expect(other.actions.slice(1)).toEqual([{ kind: 'leave' }])
  })

  it('P5: Y is not y', () => {
    const chat = chatting()
    chat.appear(makeRequest('a'))
    chat.press('Y')
    chat.press('Q')
    expect(chat.actions).toEqual([{ kind: 'fetch', id: 'a' }])
  })

  it('a reason can be pasted, on one line', () => {
    const chat = chatting()
    chat.appear(makeRequest('a'))
    chat.press('n')
    chat.press({ kind: 'paste', text: 'use\nstaging' })
    chat.enter()
    expect(chat.decisions()).toMatchObject([{ decision: { decision: 'reject', reason: 'use staging' } }])
  })

  it('keys while it is fetched do nothing, not even leave', () => {
    const chat = chatting()
    chat.tell({ kind: 'waiting', request: 'a' })
    chat.feed({ kind: 'changed', request: makeRequest('a'), at: 0 })
    chat.press('q')
    chat.press('y')
    expect(chat.actions).toEqual([{ kind: 'fetch', id: 'a' }])
  })

  it('a question opens as a form, and its first question is not told twice', () => {
    const chat = chatting()
    chat.appear(makeQuestion('q'))
    chat.press('2')
    chat.enter()
    chat.type('I like it')
    chat.enter()
    expect(chat.decisions()).toMatchObject([
      {
        decision: {
          decision: 'answer',
          answers: { color: { choices: ['green'] }, why: { text: 'I like it' } },
        },
      },
    ])
    const single = chatting()
    const [question] = makeQuestion('q').questions ?? []
    single.appear(makeQuestion('q', { questions: [question!] }))
    expect(single.outputs.map(({ kind }) => kind)).toEqual(['request'])
    single.press({ kind: 'escape' })
    single.press('n')
    single.enter()
    expect(single.decisions()).toMatchObject([{ decision: { decision: 'reject' } }])
  })

  it('a skipped one is counted until it is answered, and comes back when asked for', () => {
    const chat = chatting()
    chat.appear(makeRequest('a'))
    chat.press('s')
    expect(skipped(chat.state())).toEqual(['a'])
    chat.type('/pending')
    chat.enter()
    expect(chat.actions.at(-1)).toEqual({ kind: 'list' })
    chat.feed({ kind: 'listed', requests: [makeRequest('a')] })
    expect(chat.actions.at(-1)).toEqual({ kind: 'fetch', id: 'a' })
    chat.feed({ kind: 'changed', request: makeRequest('a', { state: 'expired', version: 2 }), at: 0 })
    expect(skipped(chat.state())).toEqual([])
  })

  it('nothing to come back to is said', () => {
    const chat = chatting()
    chat.type('/pending')
    chat.enter()
    expect(chat.outputs).toEqual([{ kind: 'plain', text: words.chat.nothingWaits }])
  })
})

describe('Ctrl-C and Ctrl-D', () => {
  const interrupt = { kind: 'interrupt' } as const

  it('first interrupts, then stops, then leaves; with a call on the screen too', () => {
    for (const isAsked of [false, true]) {
      const chat = chatting()
      chat.tell({ kind: 'begun', turn: 't1' })
      if (isAsked) chat.appear(makeRequest('a'))
      chat.press(interrupt, 0)
      chat.press(interrupt, 0)
      chat.press(interrupt, 0)
      expect(chat.actions.filter(({ kind }) => kind !== 'fetch')).toEqual([
        { kind: 'interrupt', how: 'graceful' },
        { kind: 'interrupt', how: 'hard' },
        { kind: 'leave' },
      ])
      expect(chat.outputs).toContainEqual({ kind: 'bad', text: words.chat.interrupting })
    }
  })

  it('the next turn is interrupted gracefully again', () => {
    const chat = chatting()
    chat.tell({ kind: 'begun', turn: 't1' })
    chat.press(interrupt)
    chat.tell({ kind: 'over', turn: 't1', status: 'interrupted', text: '' })
    chat.tell({ kind: 'begun', turn: 't2' })
    // The same turn told again after a break is still the same.
    chat.tell({ kind: 'begun', turn: 't2' })
    chat.press(interrupt)
    expect(chat.actions).toEqual([
      { kind: 'interrupt', how: 'graceful' },
      { kind: 'interrupt', how: 'graceful' },
    ])
  })

  it('counts words that are on their way as a turn', () => {
    const chat = chatting()
    chat.type('hello')
    chat.enter()
    chat.press(interrupt)
    expect(chat.actions.at(-1)).toEqual({ kind: 'interrupt', how: 'graceful' })
  })

  it('at rest it takes the message away, and leaves when there is none', () => {
    const chat = chatting()
    chat.type('hel')
    chat.press({ kind: 'leave' })
    chat.press(interrupt)
    expect(chat.actions).toEqual([])
    chat.press(interrupt)
    expect(chat.actions).toEqual([{ kind: 'leave' }])
  })

  it('Ctrl-D leaves from a call on the screen, and decides nothing', () => {
    const chat = chatting()
    chat.appear(makeRequest('a'))
    chat.press({ kind: 'leave' })
    expect(chat.actions.at(-1)).toEqual({ kind: 'leave' })
    expect(chat.decisions()).toEqual([])
  })
})
