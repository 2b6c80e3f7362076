/** Tools that only the demonstration has. None of them does anything outside of it. */
import { z } from 'zod'
import { defineTool, type Tool } from '../tools/tool.ts'

const person = z.string().min(1).max(200)

export const DEMONSTRATION_TOOLS: Tool[] = [
  defineTool({
    name: 'get_weather',
    description: 'Tells the weather in a city. The demonstration makes it up: it has no network.',
    schema: z.strictObject({ city: z.string().min(1).max(100).describe('The name of the city.') }),
    async run({ city }) {
      return { text: weatherIn(city) }
    },
  }),
  defineTool({
    name: 'send_mail',
    description: 'Sends a mail. The demonstration only pretends to: nothing is sent.',
    schema: z.strictObject({
      to: person.describe('Who gets it.'),
      text: z.string().max(10_000).describe('What it says.'),
    }),
    async run({ to, text }) {
      return { text: `a mail of ${text.length} characters to ${to} (only pretended: nothing was sent)` }
    },
  }),
  defineTool({
    name: 'pay',
    description: 'Pays somebody. The demonstration only pretends to: no money moves.',
    schema: z.strictObject({
      to: person.describe('Who gets the money.'),
      amount: z.number().min(0).describe('How much.'),
      currency: z.string().length(3).describe('Of which currency, such as EUR.'),
    }),
    async run({ to, amount, currency }) {
      return { text: `${amount} ${currency} to ${to} (only pretended: no money moved)` }
    },
  }),
  defineTool({
    name: 'drop_production',
    description: 'Drops a database in production. The policy denies it, and it would do nothing.',
    schema: z.strictObject({ database: z.string() }),
    async run({ database }) {
      return { text: `${database} would be gone now, if this were more than a demonstration` }
    },
  }),
]

/** What the demonstration's policy says; `banksman start --demo` uses it where there is no `banksman.yaml`. */
export const DEMONSTRATION_POLICY = {
  mode: 'default',
  allow: ['read_file', 'list_dir', 'search_files', 'Read', 'Glob', 'Grep'],
  deny: ['*_production'],
}

const SKIES = [
  ['light wind', '微风'],
  ['a few clouds', '少云'],
  ['clear sky', '晴'],
  ['some rain', '小雨'],
] as const

/** Made up, and always the same for a place. */
function weatherIn(city: string): string {
  const number = [...city.toLowerCase()].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 997, 7)
  const degrees = 4 + (number % 25)
  const [english, chinese] = SKIES[number % SKIES.length]!
  return /\p{Script=Han}/u.test(city)
    ? `${city}：${degrees} °C，${chinese}（演示用的虚构数据）`
    : `${city}: ${degrees} °C, ${english} (made up for the demonstration)`
}
