import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readWish, type Wish } from './read-wish.ts'

const weather = (...places: string[]): Wish => ({ kind: 'weather', places })

describe('what somebody wants', () => {
  it.each<[said: string, wish: Wish]>([
    ["What's the weather in Oslo?", weather('Oslo')],
    ['what is the weather like in New York today', weather('New York')],
    ['Tell me the weather for Oslo and Bergen, please', weather('Oslo', 'Bergen')],
    ['Oslo weather?', weather('Oslo')],
    ["How is Oslo's weather", weather('Oslo')],
    ['weather oslo', weather('oslo')],
    ['Show me the weather in the afternoon in São Paulo', weather('São Paulo')],
    ['Will it rain in Oslo tomorrow?', weather('Oslo')],
    ['奥斯陆的天气怎么样？', weather('奥斯陆')],
    ['请帮我查一下北京和上海今天的天气', weather('北京', '上海')],
    ['Oslo 的天气', weather('Oslo')],
    ['明天奥斯陆会下雨吗', weather('奥斯陆')],
    ['what is the weather?', { kind: 'incomplete', of: 'weather' }],
    ['今天天气怎么样？', { kind: 'incomplete', of: 'weather' }],
    [
      'Send a mail to ana@example.com saying hello there',
      { kind: 'mail', to: 'ana@example.com', text: 'hello there' },
    ],
    ['Email Ada: "The roof is done"', { kind: 'mail', to: 'Ada', text: 'The roof is done' }],
    ['给 ana@example.com 发邮件，内容是：您好', { kind: 'mail', to: 'ana@example.com', text: '您好' }],
    ['给小李发一封邮件，说明天见', { kind: 'mail', to: '小李', text: '明天见' }],
    ['send a mail', { kind: 'incomplete', of: 'mail' }],
    ['Pay Ada 250 euros', { kind: 'pay', to: 'Ada', amount: 250, currency: 'EUR' }],
    [
      'please transfer $1,200.50 to Ada Lovelace',
      { kind: 'pay', to: 'Ada Lovelace', amount: 1200.5, currency: 'USD' },
    ],
    ['send 40 NOK to ben@example.com', { kind: 'pay', to: 'ben@example.com', amount: 40, currency: 'NOK' }],
    ['给小李转账 200 元', { kind: 'pay', to: '小李', amount: 200, currency: 'CNY' }],
    ['pay Ada', { kind: 'incomplete', of: 'pay' }],
    ['Write notes.txt saying buy milk', { kind: 'write', path: 'notes.txt', text: 'buy milk' }],
    ['create a file docs/a.md', { kind: 'write', path: 'docs/a.md', text: undefined }],
    ['写 notes.txt，内容是：买牛奶', { kind: 'write', path: 'notes.txt', text: '买牛奶' }],
    ['Read notes.txt', { kind: 'read', path: 'notes.txt' }],
    ['读取 notes.txt', { kind: 'read', path: 'notes.txt' }],
    ['delete greeting.txt', { kind: 'delete', path: 'greeting.txt' }],
    ['write a plan', { kind: 'plan' }],
    ['list the files', { kind: 'list' }],
    ['Run `date`', { kind: 'run', command: 'date' }],
    ['run ls -la, please', { kind: 'run', command: 'ls -la' }],
    ['运行 `date`', { kind: 'run', command: 'date' }],
    ['run something', { kind: 'run', command: 'uname -sr' }],
    ['run the tests', { kind: 'incomplete', of: 'run' }],
    ['drop the orders database', { kind: 'drop', database: 'orders' }],
    ['Show me what happens', { kind: 'tour' }],
    ['run the demonstration again', { kind: 'tour' }],
    ['请演示', { kind: 'tour' }],
    ['Translate this into French', { kind: 'unknown' }],
    ['你好', { kind: 'unknown' }],
    ['', { kind: 'unknown' }],
  ])('%s', (said, wish) => {
    expect(readWish(said)).toEqual(wish)
  })

  it('a second place is understood after the first', () => {
    expect(readWish('And in Bergen?', weather('Oslo'))).toEqual(weather('Bergen'))
    expect(readWish('How about New York?', weather('Oslo'))).toEqual(weather('New York'))
    expect(readWish('那北京呢？', weather('奥斯陆'))).toEqual(weather('北京'))
    expect(readWish('Thanks', weather('Oslo'))).toEqual({ kind: 'unknown' })
    expect(readWish('Bergen', weather())).toEqual(weather('Bergen'))
  })

  it('property: a place that is named is the place that is asked for', () => {
    const place = fc.stringMatching(/^[A-Z][a-z]{3,12}ville$/)
    const asked = fc.constantFrom(
      (name: string) => `What is the weather in ${name}?`,
      (name: string) => `weather for ${name} please`,
      (name: string) => `${name} weather`,
      (name: string) => `${name}的天气怎么样`,
    )
    fc.assert(
      fc.property(place, asked, (name, ask) => {
        expect(readWish(ask(name))).toEqual(weather(name))
      }),
    )
  })

  it('property: whatever is said is read, and in bounded time', () => {
    const piece = fc.constantFrom(
      'weather in ',
      'pay ',
      '250 ',
      '"',
      '`',
      'saying ',
      '给',
      'a.b',
      '@',
      'run ',
      ', ',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((all) => all.join('')),
        ),
        (said) => {
          expect(typeof readWish(said).kind).toBe('string')
        },
      ),
    )
    for (const each of ['a.', '-', '250,', 'in A ', '给a', '" ', 'x@x.']) readWish(each.repeat(100_000))
  })
})
