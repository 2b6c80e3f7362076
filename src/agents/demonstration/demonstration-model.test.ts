import { describe, expect, it } from 'vitest'
import { refusalText } from '../../guard/model-texts.ts'
import type { ModelMessage } from '../models/model.ts'
import { followDemonstration } from './demonstration-model.ts'
import { DEMONSTRATION_WORDS } from './demonstration-words.ts'
import { DEMONSTRATION_TOOLS } from './tools.ts'

const tools = DEMONSTRATION_TOOLS.map(({ name }) => ({ name, description: '', schema: {} }))
const ask = (...messages: ModelMessage[]) => followDemonstration({ messages, tools })
const user = (text: string): ModelMessage => ({ role: 'user', text })
const said = (text: string): ModelMessage => ({ role: 'assistant', text, calls: [] })

/** What the model answers, as the conversation then has it. */
function answered(...messages: ModelMessage[]): ModelMessage {
  const { say, calls } = ask(...messages)
  return { role: 'assistant', text: say, calls }
}
const result = (text: string, isError = false): ModelMessage => ({
  role: 'tool',
  callId: 'call_0_0',
  tool: 'get_weather',
  text,
  isError,
})

const callsOf = (...messages: ModelMessage[]) =>
  ask(...messages).calls.map(({ tool, argumentsText }) => [tool, JSON.parse(argumentsText)])

describe('the demonstration listens', () => {
  it('asked for Oslo it looks up Oslo, and says what came back', () => {
    const oslo = user('What is the weather in Oslo?')
    expect(callsOf(oslo)).toEqual([['get_weather', { city: 'Oslo' }]])
    expect(ask(oslo).say).toContain('the weather in Oslo')
    expect(ask(oslo, answered(oslo), result('Oslo: 9 °C')).say).toBe('Oslo: 9 °C')
    expect(callsOf(user('奥斯陆的天气怎么样？'))).toEqual([['get_weather', { city: '奥斯陆' }]])
  })

  it('takes a no for an answer, with its reason', () => {
    const oslo = user('What is the weather in Oslo?')
    const no = refusalText('get_weather', {
      state: 'rejected',
      because: 'ana rejected it: not now',
      mayRetry: false,
    })
    const { say, calls } = ask(oslo, answered(oslo), result(no, true))
    expect(say).toContain('ana rejected it: not now')
    expect(calls).toEqual([])
  })

  it('makes its calls from what was said', () => {
    expect(callsOf(user('Weather in Oslo and Bergen?'))).toEqual([
      ['get_weather', { city: 'Oslo' }],
      ['get_weather', { city: 'Bergen' }],
    ])
    expect(callsOf(user('Pay Ada 250 euros'))).toEqual([['pay', { to: 'Ada', amount: 250, currency: 'EUR' }]])
    expect(callsOf(user('Send a mail to ana@example.com saying hi'))).toEqual([
      ['send_mail', { to: 'ana@example.com', text: 'hi' }],
    ])
    expect(callsOf(user('Write notes.txt saying buy milk'))).toEqual([
      ['write_file', { path: 'notes.txt', content: 'buy milk\n' }],
    ])
    expect(callsOf(user('Run `date -u`'))).toEqual([['exec', { command: 'date -u', shell: true }]])
  })

  it('P3: braces in what was said stay as they are', () => {
    expect(callsOf(user('Write notes.txt saying {message} {result}'))).toEqual([
      ['write_file', { path: 'notes.txt', content: '{message} {result}\n' }],
    ])
  })

  it('says that it is a script where it does not understand, and what it can do', () => {
    const { say, calls } = ask(user('Translate this into French'))
    expect(calls).toEqual([])
    expect(say).toMatch(/^I'm a script, not a model/)
    expect(say).toContain('What is the weather in Oslo?')
    expect(ask(user('帮我写首歌')).say).toMatch(/^我按固定脚本回答/)
  })

  it('asks for what is missing, and takes the answer', () => {
    const which = user('What is the weather?')
    expect(ask(which).say).toContain('Which city?')
    expect(callsOf(which, answered(which), user('Oslo'))).toEqual([['get_weather', { city: 'Oslo' }]])
    const oslo = user('What is the weather in Oslo?')
    const over = [oslo, answered(oslo), result('Oslo: 9 °C'), said('Oslo: 9 °C')]
    expect(callsOf(...over, user('And in Bergen?'))).toEqual([['get_weather', { city: 'Bergen' }]])
  })

  it.each(['en', 'zh'] as const)('does in %s everything that it says it can do', (language) => {
    const { unknown, missing, tour } = DEMONSTRATION_WORDS[language]
    const offers = [unknown, ...Object.values(missing)].flatMap((text) => [...text.matchAll(/“([^”]+)”/g)])
    expect(offers.length).toBeGreaterThan(8)
    for (const [, offer = ''] of [...offers, ['', tour.opening]])
      expect(ask(user(offer)).calls, offer).not.toEqual([])
  })

  it('what it calls fits the tools that it has', () => {
    for (const wish of [
      'weather in Oslo',
      'Pay Ada 250 euros',
      'mail ana@example.com',
      'drop the orders database',
    ]) {
      for (const [name, args] of callsOf(user(wish))) {
        const tool = DEMONSTRATION_TOOLS.find((each) => each.name === name)
        expect(tool?.schema.safeParse(args).success, wish).toBe(true)
      }
    }
  })
})
