/** OpenAI's Codex CLI. */
import type { CodingAgent } from '../coding-agent.ts'
import { CODEX, readCodexEvent } from './read-event.ts'
import { writeCodexAnswer } from './write-answer.ts'

export const codex: CodingAgent = {
  name: CODEX,
  title: 'Codex',
  hookTimeoutMs: 600_000,
  tellsEdits: 'after',
  read: readCodexEvent,
  write: writeCodexAnswer,
  argumentsFor: (_, approved) => approved,
}
