/** How lists are asked for, a page at a time, and what a page is. */
import { z } from 'zod'
import { written } from './named.ts'

export const limitQuery = written(
  'number',
  z
    .string()
    .regex(/^(?:[1-9]\d?|1\d\d|200)$/, 'must be a number from 1 to 200')
    .describe('How many at most, from 1 to 200; 50 without it.')
    .transform(Number),
)

export const pageQuery = {
  limit: limitQuery.default(50),
  cursor: z.string().describe('From the page before.').exactOptional(),
}

/** `WirePage` of `types/page.ts`, which is written by hand: generated types have no parameters. */
export function pageOf<S extends z.ZodType>(items: S) {
  return z.object({ items: z.array(items), cursor: z.string().exactOptional() })
}
