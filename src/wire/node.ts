/** The servers on one store. */
import { z } from 'zod'
import { object } from './named.ts'
import { time } from './values.ts'

export const node = object('WireNode', 'One server of those that share a store.', {
  id: z.string(),
  url: z.string().describe('Where the node itself says that it listens.'),
  version: z.string(),
  policyVersion: z.string().describe('Of the policy in force there.'),
  owner: z.string(),
  startedAt: time,
  until: time.describe('Until then it counts as alive if nothing more is heard of it.'),
  self: z.boolean().describe('Whether it is the one that answers.'),
})

export const nodeList = z.object({ items: z.array(node) })
