/** `ask_user_question`: the loop puts the questions to a person; there is nothing to run. */
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { RUN_BY_LOOP } from './run-by-loop.ts'

const text = z
  .string()
  .min(1)
  .max(16 * 1024)

/** What `checkQuestions` in core takes. */
const askUserQuestionSchema = z.strictObject({
  questions: z
    .array(
      z.strictObject({
        id: text.describe('A short name by which the answer is found, different for each question.'),
        question: text.describe('The question, in full.'),
        header: text.optional().describe('A few words to head it.'),
        options: z
          .array(
            z.strictObject({
              label: text,
              description: z
                .string()
                .max(16 * 1024)
                .optional(),
            }),
          )
          .min(1)
          .max(20)
          .optional()
          .describe('What can be chosen. Without it the person writes an answer.'),
        multiSelect: z.boolean().optional().describe('Several options can be chosen.'),
        freeText: z.boolean().optional().describe('An answer of one’s own is taken besides the options.'),
      }),
    )
    .min(1)
    .max(4),
})

export const askUserQuestion = defineTool({
  name: 'ask_user_question',
  description:
    'Asks the person one to four questions and waits for the answers. Use it where only a person can know or choose, and not to ask for permission: ' +
    'a call that needs permission asks for it by itself.',
  schema: askUserQuestionSchema,
  annotations: { readOnlyHint: true },
  run: RUN_BY_LOOP,
})
