/** The demonstration. */
import { z } from 'zod'
import { object, optional } from './named.ts'

export const demonstration = object('WireDemonstration', 'How the demonstration stands.', {
  state: z
    .enum(['absent', 'ready', 'running'])
    .describe('absent: the server was not started with it. ready: it can be run.'),
  session: optional(z.string(), 'The conversation of its newest run.'),
})
