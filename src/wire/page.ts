/** How lists are asked for, a page at a time. */
import { z } from 'zod'

export const limitQuery = z
  .string()
  .regex(/^(?:[1-9]\d?|1\d\d|200)$/, 'must be a number from 1 to 200')
  .describe('How many at most, from 1 to 200; 50 without it.')
  .transform(Number)

export const pageQuery = {
  limit: limitQuery.default(50),
  cursor: z.string().describe('From the page before.').exactOptional(),
}
