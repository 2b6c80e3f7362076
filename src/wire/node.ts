/** The servers on one store, as schemas. */
import { z } from 'zod'
import type { WireNode } from './types/history.ts'
import { time } from './values.ts'

const node: z.ZodType<WireNode> = z.object({
  id: z.string(),
  url: z.string().describe('Where the node itself says that it listens.'),
  version: z.string(),
  policyVersion: z.string().describe('Of the policy that holds there.'),
  owner: z.string(),
  startedAt: time,
  until: time.describe('Until then it counts as alive if nothing more is heard of it.'),
  self: z.boolean().describe('Whether it is the one that answers.'),
})

export const nodeList = z.object({ items: z.array(node) })
