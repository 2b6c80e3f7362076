/** `spawn`: the loop starts the other agent; there is nothing to run. */
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { RUN_BY_LOOP } from './run-by-loop.ts'

const spawnSchema = z.strictObject({
  task: z
    .string()
    .min(1)
    .max(64 * 1024)
    .describe('All that it needs to know: it sees nothing of this conversation.'),
  agent: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional()
    .describe('The name of the agent that is to do it. Without it, one like this.'),
  label: z.string().min(1).max(200).optional().describe('A few words by which people know the task.'),
})

export const spawn = defineTool({
  name: 'spawn',
  description:
    'Has another agent do a task, and gives what it says at the end. It works in the same workspace, has its own conversation, and its calls are judged like yours. ' +
    'Use it for a task that stands by itself.',
  schema: spawnSchema,
  run: RUN_BY_LOOP,
})
