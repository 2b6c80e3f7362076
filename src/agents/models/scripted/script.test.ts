import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { BanksmanError } from '../../../core/errors.ts'
import { followScript } from './follow-script.ts'
import { readScript } from './script.ts'

const say = (text: string) => ({ steps: [{ say: text }] })

describe('a script', () => {
  it('is a list of scenes, alone or with a name', () => {
    expect(readScript([say('Hello.')])).toEqual({ scenes: [say('Hello.')] })
    expect(readScript({ name: 'weather', scenes: [say('Hello.')] })).toEqual({
      name: 'weather',
      scenes: [say('Hello.')],
    })
  })

  it('reads what it has written', () => {
    const script = readScript([
      {
        when: ['weather', 'hangzhou'],
        lastWord: 'Enough.',
        steps: [
          {
            think: 'Hm.',
            calls: [{ tool: 'get_weather', arguments: { city: 'Hangzhou', days: [1, null] } }],
          },
          {
            oneOf: [
              { when: { result: 'refused', tool: 'get_weather' }, say: '{reason}' },
              { say: '{result}', finish: 'length' },
            ],
          },
        ],
      },
    ])
    expect(readScript(JSON.parse(JSON.stringify(script)))).toEqual(script)
  })

  it('is as the reference shows it', () => {
    const page = readFileSync(new URL('../../../../docs/reference/script.md', import.meta.url), 'utf8')
    const [, example] = page.match(/(?<=```yaml\n)[^`]+/g) ?? []
    const script = readScript(parse(example ?? ''))
    const tools = [{ name: 'get_weather', description: '', schema: {} }]
    const next = (text: string) => followScript(script, { messages: [{ role: 'user', text }], tools })
    expect(next('The weather?').calls).toMatchObject([{ argumentsText: '{"city":"Hangzhou"}' }])
    expect(next('Cheese?').say).toBe('I only know about the weather, and not about: Cheese?')
  })

  it('P5: names the place of what is wrong, and what would be right', () => {
    const wrong: [value: unknown, says: RegExp][] = [
      [undefined, /^script: .*object/],
      [[], /^script\.scenes: must have a scene/],
      [[{ steps: [] }], /^script\.scenes\[0\]\.steps: must have a step/],
      [[{ setps: [] }], /^script\.scenes\[0\]/],
      [[{ steps: [{ sya: 'x' }] }], /^script\.scenes\[0\]\.steps\[0\]: "sya" is not known here/],
      [[{ when: '', steps: [{}] }], /^script\.scenes\[0\]\.when: must be words/],
      [[{ when: [], steps: [{}] }], /^script\.scenes\[0\]\.when: /],
      [[say('a'), say('b')], /^script\.scenes\[1\]: has no "when", and neither has scene 0/],
      [[{ steps: [{ calls: [] }] }], /steps\[0\]\.calls: must name a call/],
      [[{ steps: [{ calls: [{}] }] }], /steps\[0\]\.calls\[0\]\.tool: must be the name of a tool/],
      [
        [{ steps: [{ calls: [{ tool: 'a', arguments: {}, argumentsText: '{}' }] }] }],
        /calls\[0\]: has both "arguments" and "argumentsText"/,
      ],
      [[{ steps: [{ calls: [{ tool: 'a', arguments: [] }] }] }], /calls\[0\]\.arguments: /],
      [[{ steps: [{ finish: 'done' }] }], /steps\[0\]\.finish: .*"stop"/],
      [[{ steps: [{ fail: { message: 'x', mayRetry: true, status: 200 } }] }], /fail\.status: .*400 to 599/],
      [[{ steps: [{ fail: { message: 'x' } }] }], /fail\.mayRetry: /],
      [[{ steps: [{ delayMs: -1 }] }], /delayMs: /],
      [[{ steps: [{ when: { result: 'ran' }, say: 'x' }] }], /steps\[0\]: "when" is not known here/],
      [[{ steps: [{ say: 'x', oneOf: [{}] }] }], /steps\[0\]\.oneOf: stands beside an answer/],
      [[{ steps: [{ oneOf: [{ when: { result: 'ran' } }] }] }], /oneOf\[0\]\.when: must not be there/],
      [[{ steps: [{ oneOf: [{ say: 'a' }, { say: 'b' }] }] }], /oneOf\[0\]: has no "when"/],
      [[{ steps: [{ oneOf: [{ when: {} }, {}] }] }], /oneOf\[0\]\.when: must ask for something/],
      [[{ steps: [{ oneOf: [{ when: { result: 'denied' } }, {}] }] }], /when\.result: .*"refused"/],
    ]
    for (const [value, says] of wrong) {
      const error = caught(() => readScript(value))
      expect(error, JSON.stringify(value)).toBeInstanceOf(BanksmanError)
      expect((error as BanksmanError).code).toBe('invalid_configuration')
      expect((error as BanksmanError).message).toMatch(says)
    }
  })
})

function caught(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
