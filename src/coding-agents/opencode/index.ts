/** opencode, through our plugin. */
import type { CodingAgent } from '../coding-agent.ts'
import { OPENCODE, readOpencodeEvent } from './read-event.ts'
import { fromCatalogue } from './tool-names.ts'
import { writeOpencodeAnswer } from './write-answer.ts'

export const opencode: CodingAgent = {
  name: OPENCODE,
  title: 'opencode',
  // It has no limit of its own; the plugin asks again.
  hookTimeoutMs: 600_000,
  tellsEdits: 'after',
  read: readOpencodeEvent,
  write: writeOpencodeAnswer,
  argumentsFor: ({ tool }, approved) => fromCatalogue(tool, approved),
}
