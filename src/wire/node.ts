/** The servers on one store. */
import { z } from 'zod'
import { named } from './named.ts'
import { time } from './values.ts'

export const node = named(
  'WireNode',
  z
    .object({
      id: z.string(),
      url: z.string().describe('Where the node itself says that it listens.'),
      version: z.string(),
      policyVersion: z.string().describe('Of the policy in force there.'),
      owner: z.string(),
      startedAt: time,
      until: time.describe('Until then it counts as alive if nothing more is heard of it.'),
      self: z.boolean().describe('Whether it is the one that answers.'),
    })
    .describe('One server of those that share a store.'),
)

export const nodeList = z.object({ items: z.array(node) })
