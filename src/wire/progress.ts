/** How far a session is, as a schema. The type is that of `wire/types/progress.ts`. */
import { z } from 'zod'
import type { WireProgress } from './types/progress.ts'
import { jsonObject, time } from './values.ts'

const shown = {
  session: z.string().describe('The session itself, or one that it started.'),
  call: z.string(),
  tool: z.string(),
  arguments: jsonObject.describe('Masked, and cut with marks where they are long.'),
  summary: z.string(),
  since: time,
}

const status = z.enum(['completed', 'interrupted', 'limit', 'failed', 'aborted', 'terminated'])

export const progress: z.ZodType<WireProgress> = z.object({
  session: z.string(),
  agent: z.object({ name: z.string(), parents: z.array(z.string()).exactOptional() }),
  state: z.enum(['idle', 'running', 'waiting']).describe('`waiting`: a turn runs, and a person is asked.'),
  turn: z
    .object({
      id: z.string(),
      text: z.string(),
      by: z.string(),
      begunAt: time,
      since: time.describe('When the newest thing happened.'),
      steps: z.int().describe('How often the model has answered.'),
      said: z.array(z.string()).describe("The model's newest words, the newest last."),
      calls: z.int().describe('How many calls there were, those of sub-agents too.'),
      recent: z
        .array(
          z.object({
            ...shown,
            state: z.enum(['proposed', 'waiting', 'running', 'done', 'failed', 'refused', 'answered']),
          }),
        )
        .describe('The newest calls, the newest last.'),
      waiting: z.array(z.object({ ...shown, request: z.string() })),
      ended: z
        .object({
          at: time,
          status,
          text: z.string(),
          reason: z.string().exactOptional(),
          usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }),
        })
        .exactOptional(),
    })
    .exactOptional()
    .describe('The newest turn. Absent where nobody has said anything yet.'),
})
