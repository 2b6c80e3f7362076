/** Tools that only the demonstration has. */
import { z } from 'zod'
import { defineTool, type Tool } from '../tools/tool.ts'

export const DEMONSTRATION_TOOLS: Tool[] = [
  defineTool({
    name: 'get_weather',
    description: 'Tells the weather in a city. The demonstration makes it up: it has no network.',
    schema: z.strictObject({ city: z.string().min(1).max(100).describe('The name of the city.') }),
    async run({ city }) {
      return { text: `${city}: 22 °C, light wind (made up for the demonstration)` }
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
