import { assert, constantFrom, array as many, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusalText } from '../../../guard/model-texts.ts'
import type { ModelMessage } from '../model.ts'
import { followScript } from './follow-script.ts'
import { readScript } from './script.ts'

const TOOLS = [{ name: 'get_weather', description: '', schema: {} }]
const WEATHER = { tool: 'get_weather', arguments: { city: 'Hangzhou' } }

const user = (text: string): ModelMessage => ({ role: 'user', text })
const calls = (id = 'c1'): ModelMessage => ({
  role: 'assistant',
  text: '',
  calls: [{ id, tool: 'get_weather', argumentsText: '{}' }],
})
const says = (text = 'Done.'): ModelMessage => ({ role: 'assistant', text, calls: [] })
const result = (text: string, isError = false): ModelMessage => ({
  role: 'tool',
  callId: 'c1',
  tool: 'get_weather',
  text,
  isError,
})

const script = readScript([
  {
    when: 'weather',
    steps: [
      { say: 'I look.', calls: [WEATHER] },
      { say: 'I look again.', calls: [WEATHER] },
      { say: 'It is sunny.' },
    ],
  },
  { when: ['joke', 'short'], steps: [{ say: 'Knock knock.' }, { say: 'Who is there?' }] },
  { steps: [{ say: 'I did not get that: {message}' }, { say: 'Still not.' }] },
])

const next = (messages: ModelMessage[], from = script, tools = TOOLS) =>
  followScript(from, { messages, tools })

describe('the place in a script', () => {
  it('is the first step of the scene whose words the message contains, in any case', () => {
    expect(next([user('How is the WEATHER?')])).toMatchObject({
      place: 'scene 0, step 0',
      say: 'I look.',
      calls: [{ tool: 'get_weather', argumentsText: '{"city":"Hangzhou"}' }],
      finish: 'calls',
    })
    expect(next([user('a short joke')]).say).toBe('Knock knock.')
    expect(next([user('a joke')]).say).toBe('I did not get that: a joke')
  })

  it('moves on with every answer of the turn, and not with those of turns before', () => {
    const first = [user('weather'), calls(), result('sunny')]
    expect(next(first).say).toBe('I look again.')
    expect(next([...first, calls(), result('sunny')]).say).toBe('It is sunny.')
    expect(next([...first, says(), user('weather')]).say).toBe('I look.')
    expect(next([user('x'), says(), user('y')]).say).toBe('I did not get that: y')
  })

  it('is kept when a person steers', () => {
    const steered = [user('weather'), calls(), result('sunny'), user('in celsius')]
    expect(next(steered).say).toBe('I look again.')
    expect(next([...steered, calls(), result('sunny')]).say).toBe('It is sunny.')
    expect(next([user('weather'), user('in celsius')]).say).toBe('I look.')
    expect(next([user('weather'), calls(), user('quick'), result('sunny')]).say).toBe('I look again.')
  })

  it('is another scene when a person steers into one', () => {
    const steered = [user('weather'), calls(), result('sunny'), user('no, a short joke')]
    expect(next(steered).say).toBe('Knock knock.')
    expect(next([...steered, user('please')]).say).toBe('Knock knock.')
  })

  it('is the scene for everything else after an answer without calls', () => {
    expect(next([user('weather'), says(), user('thanks')]).say).toBe('I did not get that: thanks')
    expect(next([user('weather'), says(), user('thanks'), says()]).say).toBe('Still not.')
  })

  it('begins anew when the same is said after a turn that was cut off', () => {
    expect(next([user('weather'), calls(), result('stopped', true), user('weather')]).say).toBe('I look.')
  })

  it('ends with words, and never with a call', () => {
    const three = [
      user('weather'),
      ...Array.from({ length: 3 }, (_, n) => [calls(`c${n}`), result('x')]).flat(),
    ]
    expect(next(three)).toMatchObject({
      say: 'The script has nothing more to say.',
      calls: [],
      finish: 'stop',
    })
    const alone = readScript([{ when: 'weather', steps: [{ calls: [WEATHER] }] }])
    expect(next([user('hello')], alone)).toMatchObject({
      say: 'The script has no scene for this.',
      calls: [],
    })
    expect(next([], alone).calls).toEqual([])
  })

  it('begins again where the scene repeats', () => {
    const looping = readScript([
      { repeat: true, steps: [{ calls: [WEATHER] }, { calls: [WEATHER, WEATHER] }] },
    ])
    const rounds = (count: number) => [
      user('go'),
      ...Array.from({ length: count }, () => [calls(), result('x')]).flat(),
    ]
    expect([0, 1, 2, 3].map((count) => next(rounds(count), looping).calls.length)).toEqual([1, 2, 1, 2])
  })

  it('P5: of any messages is always an answer', () => {
    const any = constantFrom(
      user('weather'),
      user('other'),
      calls(),
      says(),
      result('x'),
      result('{"ran":false}', true),
    )
    assert(
      property(many(any, { maxLength: 12 }), (messages) => {
        const answer = next(messages)
        expect(answer.say + answer.calls.length).not.toBe('0')
        expect(next(messages)).toEqual(answer)
      }),
    )
  })

  it('does not depend on what was before the turn began', () => {
    const before = constantFrom<ModelMessage[]>(
      [user('weather'), calls(), result('x'), says()],
      [user('a short joke'), says()],
      [user('other'), says()],
    )
    const turn = [user('weather'), calls(), result('sunny')]
    assert(
      property(many(before, { maxLength: 5 }), (history) => {
        expect(next([...history.flat(), ...turn]).place).toBe(next(turn).place)
      }),
    )
  })
})

describe('an alternative', () => {
  const refused = refusalText('get_weather', {
    state: 'rejected',
    because: 'not on a Sunday',
    by: 'ana',
    mayRetry: false,
  })
  const branching = readScript([
    {
      steps: [
        { calls: [WEATHER] },
        {
          oneOf: [
            { when: { said: 'celsius' }, say: 'In celsius: {result}' },
            { when: { result: 'refused' }, say: 'You said: {reason}' },
            { when: { result: 'failed' }, say: 'It failed: {result}' },
            { when: { tool: 'get_weather', contains: 'RAIN' }, say: 'Take an umbrella.' },
            { say: 'It is {result}' },
          ],
        },
      ],
    },
  ])
  const saysAfter = (...messages: ModelMessage[]) => next([user('go'), calls(), ...messages], branching).say

  it('is chosen by what became of the last calls', () => {
    expect(saysAfter(result('sunny'))).toBe('It is sunny')
    expect(saysAfter(result('some rain'))).toBe('Take an umbrella.')
    expect(saysAfter(result('no such city', true))).toBe('It failed: no such city')
    expect(saysAfter(result(refused, true))).toBe('You said: not on a Sunday')
  })

  it('sees a refusal without the mark of an error, which not every wire carries', () => {
    expect(saysAfter(result(refused))).toBe('You said: not on a Sunday')
  })

  it('is chosen by any of several results, and speaks of that one', () => {
    expect(saysAfter(result(refused), result('sunny'))).toBe('You said: not on a Sunday')
  })

  it('is chosen by what a person has said meanwhile', () => {
    expect(saysAfter(result('22'), user('in Celsius'))).toBe('In celsius: 22')
  })
})

describe('what is filled in', () => {
  it('is not looked at again, and needs no escaping', () => {
    const echo = readScript([
      {
        steps: [
          { calls: [{ tool: 'x', arguments: { text: ['{message}'] } }] },
          { say: '{result}|{message}' },
        ],
      },
    ])
    assert(
      property(string(), string(), (message, text) => {
        const words = `${message}{result}$&`
        expect(JSON.parse(next([user(words)], echo).calls[0]!.argumentsText)).toEqual({ text: [words] })
        const answer = next([user(words), calls(), result(`${text}{message}`)], echo)
        expect(answer.say).toBe(`${text}{message}|${words}`)
      }),
    )
  })
})

describe('where no tools are offered', () => {
  it('it says a last word in place of a call', () => {
    const last = (scene: object) => next([user('go')], readScript([scene]), [])
    expect(last({ steps: [{ calls: [WEATHER] }] })).toMatchObject({ say: 'I stop here.', calls: [] })
    expect(last({ steps: [{ say: 'I look.', calls: [WEATHER] }] }).say).toBe('I look.')
    expect(last({ lastWord: 'Enough.', steps: [{ say: 'I look.', calls: [WEATHER] }] }).say).toBe('Enough.')
    expect(last({ lastWord: 'Enough.', steps: [{ say: 'Hello.' }] }).say).toBe('Hello.')
  })
})
