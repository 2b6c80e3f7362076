/** What the demonstration agent does for a wish: its words and its calls, made from what was said. */
import type { JsonObject } from '../../core/json/json.ts'
import type { FoundScene } from '../models/scripted/follow-script.ts'
import type { ScriptScene, ScriptStep } from '../models/scripted/script.ts'
import type { DemonstrationWords } from './demonstration-words.ts'
import type { Wish } from './read-wish.ts'

/** @param message What was said, for a file that has nothing else to say. */
export function sceneFor(wish: Wish, message: string, words: DemonstrationWords): FoundScene {
  const { kind } = wish
  switch (kind) {
    case 'tour':
      return { name: kind, scene: tour(words) }
    case 'weather': {
      const { think, say } = words.weather
      const calls = wish.places.map((city) => call('get_weather', { city }))
      return found(kind, { think, say, calls }, words, { places: listed(wish.places, message) })
    }
    case 'mail': {
      const calls = [call('send_mail', { to: wish.to, text: wish.text ?? words.mail.text })]
      return found(kind, { say: words.mail.say, calls }, words, { to: wish.to })
    }
    case 'pay': {
      const { to, amount, currency } = wish
      const calls = [call('pay', { to, amount, currency })]
      return found(kind, { say: words.pay.say, calls }, words, { to, amount: `${amount} ${currency}` })
    }
    case 'plan': {
      const { say, done, plan, poem } = words.plan
      const calls = [
        call('write_file', { path: 'plan.md', content: plan }),
        call('write_file', { path: 'poem.txt', content: poem }),
      ]
      return { name: kind, scene: { steps: [{ say, calls }, { say: done }] } }
    }
    case 'write': {
      const { path, text = words.write.text.replace('{message}', () => message) } = wish
      const calls = [call('write_file', { path, content: `${text}\n` })]
      return found(kind, { say: words.write.say, calls }, words, { path })
    }
    case 'read':
      return found(kind, { say: words.read.say, calls: [call('read_file', { path: wish.path })] }, words, {
        path: wish.path,
      })
    case 'delete': {
      const calls = [call('exec', { command: 'rm', arguments: ['--', wish.path] })]
      return found(kind, { say: words.delete.say, calls }, words, { path: wish.path })
    }
    case 'list':
      return found(kind, { say: words.list.say, calls: [call('list_dir', { path: '.' })] }, words)
    case 'run': {
      const calls = [call('exec', { command: wish.command, shell: true })]
      return found(kind, { say: words.run.say, calls }, words)
    }
    case 'drop': {
      const calls = [call('drop_production', { database: wish.database })]
      return found(kind, { say: words.drop.say, calls }, words, { database: wish.database })
    }
    case 'incomplete':
      return {
        name: `${wish.of} with something missing`,
        scene: { steps: [{ say: words.missing[wish.of] }] },
      }
    case 'unknown':
      return { name: kind, scene: { steps: [{ say: words.unknown }] } }
  }
}

type SceneCall = NonNullable<ScriptStep['calls']>[number]

/** As text, so that braces in what somebody said stay braces. */
function call(tool: string, args: JsonObject): SceneCall {
  return { tool, argumentsText: JSON.stringify(args) }
}

function found(
  name: string,
  first: ScriptStep & { calls: SceneCall[] },
  { result }: DemonstrationWords,
  values: Readonly<Record<string, string>> = {},
): FoundScene {
  const closing: ScriptStep =
    first.calls.length > 1
      ? { say: result.several }
      : {
          oneOf: [
            { when: { result: 'refused' }, say: result.refused },
            { when: { result: 'failed' }, say: result.failed },
            { say: result.ran },
          ],
        }
  return { name, scene: { steps: [first, closing] }, values }
}

/** One call that is allowed, one that is denied, and three that people are asked about at once. */
function tour({ tour: words }: DemonstrationWords): ScriptScene {
  return {
    steps: [
      { say: words.allowed, calls: [call('list_dir', { path: '.' })] },
      { say: words.denied, calls: [call('drop_production', { database: 'customers' })] },
      {
        say: words.asked,
        calls: [
          call('write_file', { path: 'greeting.txt', content: words.greeting }),
          call('get_weather', { city: words.city }),
          call('exec', { command: 'ls -la && rm -f greeting.txt', shell: true }),
        ],
      },
      { say: words.done },
    ],
  }
}

function listed(names: readonly string[], message: string): string {
  if (/\p{Script=Han}/u.test(message)) return names.join('、')
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
