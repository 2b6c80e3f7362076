/** The servers that share the store with this one, itself among them. */

import { nodeList } from '../../../wire/node.ts'
import type { WireNode } from '../../../wire/types/node.ts'
import { json, type Route, route } from '../route.ts'

export interface NodeParts {
  /** The servers that are alive on the same store. */
  nodes?: () => Promise<WireNode[]>
}

export function nodeRoutes({ nodes }: NodeParts): Route[] {
  if (nodes === undefined) return []
  return [
    route('GET /v1/nodes', {
      summary: 'The servers that are alive on the same store.',
      access: 'people',
      answers: [json('The nodes, by id.', nodeList)],
      answer: async () => ({ items: await nodes() }),
    }),
  ]
}
