/** The journal, as an admin reads and checks it. */
import { z } from 'zod'
import { object } from './named.ts'

export const chain = object('WireChain', {
  chain: z.string(),
  last: z.number().describe('The number of its last entry.'),
})

export const journalEntry = object('WireJournalEntry', {
  chain: z.string(),
  n: z.number(),
  type: z.string(),
  request: z.string().exactOptional(),
  version: z.number().exactOptional(),
  body: z.string().describe('The text that was hashed.'),
})

export const journalReport = object(
  'WireJournalReport',
  'What the server says of its journal. The findings are for reading.',
  {
    ok: z.boolean().describe('No problem was found. How much that is worth, each chain says.'),
    entries: z.number(),
    requests: z.number(),
    chains: z.array(z.looseObject({ chain: z.string() })),
    problems: z.array(z.looseObject({ kind: z.string(), message: z.string() })),
    omitted: z.number().describe('How many more problems there were than are listed.'),
  },
)
