/**
 * The file format of scripted conversations: what a model says and calls, written down beforehand, for the demonstration
 * and for tests. It is a plain JSON value, so a YAML file holds it as well; `docs/reference/script.md` describes it.
 *
 * There is no code in it. What an answer depends on is words in messages and what became of the last calls.
 */
import { z } from 'zod'
import { readValue } from '../read-value.ts'

const jsonObject = z.record(z.string(), z.json())

const words = z.string().min(1, 'must be words, not an empty text')

const call = z
  .strictObject({
    tool: z.string({ error: 'must be the name of a tool' }).min(1, 'must be the name of a tool'),
    arguments: jsonObject.optional(),
    /** The raw text, for calls that no honest model would make. */
    argumentsText: z.string().optional(),
    id: z.string().min(1).optional(),
  })
  .refine((made) => made.arguments === undefined || made.argumentsText === undefined, {
    message: 'has both "arguments" and "argumentsText"; leave one out',
  })

const fail = z.strictObject({
  message: words,
  mayRetry: z.boolean(),
  retryAfterMs: z.int().min(0).optional(),
  /** The HTTP status, where the script is served. */
  status: z.int().min(400, 'must be an HTTP status from 400 to 599').max(599).optional(),
  /** How often before the answer is given. Absent: always. */
  times: z.int().min(1).optional(),
  /** After what is said was said, before anything is called. */
  midway: z.boolean().optional(),
})

const answerShape = {
  think: z.string().optional(),
  say: z.string().optional(),
  calls: z.array(call).min(1, 'must name a call, or be left out').optional(),
  finish: z.enum(['stop', 'calls', 'length', 'filtered', 'other']).optional(),
  fail: fail.optional(),
  delayMs: z.int().min(0).max(600_000).optional(),
}

const condition = z
  .strictObject({
    /**
     * `failed`: it ran, and reported an error. What a person has answered in a tool's place is `ran`: a model can't tell the
     * difference.
     */
    result: z.enum(['ran', 'failed', 'refused']).optional(),
    tool: z.string().min(1).optional(),
    contains: words.optional(),
    /** What a person has said since the turn began, besides what it began with. */
    said: words.optional(),
  })
  .refine((asked) => Object.values(asked).some((value) => value !== undefined), {
    message: 'must ask for something: result, tool, contains or said',
  })

const alternative = z.strictObject({ when: condition.optional(), ...answerShape })

const step = z
  .strictObject({ oneOf: z.array(alternative).min(1).optional(), ...answerShape })
  .superRefine((value, context) => {
    const { oneOf, ...answer } = value
    const issue = (message: string, path: PropertyKey[]) =>
      context.addIssue({ code: 'custom', message, path, input: value })
    if (oneOf === undefined) return
    if (Object.values(answer).some((part) => part !== undefined))
      issue('stands beside an answer; put the answer into it as the last one, without "when"', ['oneOf'])
    oneOf.forEach(({ when }, index) => {
      const isLast = index === oneOf.length - 1
      if (isLast && when !== undefined)
        issue('must not be there: the last alternative is for everything else', ['oneOf', index, 'when'])
      if (!isLast && when === undefined)
        issue('has no "when", so what follows is never reached', ['oneOf', index])
    })
  })

const scene = z.strictObject({
  /** Words that the message must contain, all of them, in any case. Absent: for what no other scene is for. */
  when: z.union([words, z.array(words).min(1)]).optional(),
  steps: z.array(step).min(1, 'must have a step'),
  /** From the first step again after the last. */
  repeat: z.boolean().optional(),
  /** What is said instead of a call where no tools are offered. */
  lastWord: z.string().optional(),
})

const scenes = z
  .array(scene)
  .min(1, 'must have a scene')
  .superRefine((list, context) => {
    const fallbacks = list.flatMap(({ when }, index) => (when === undefined ? [index] : []))
    if (fallbacks.length > 1)
      context.addIssue({
        code: 'custom',
        message: `has no "when", and neither has scene ${fallbacks[0]}: one scene is for everything else`,
        path: [fallbacks[1]!],
        input: list,
      })
  })

const script = z.strictObject({ name: z.string().min(1).max(100).optional(), scenes })

export type ModelScript = z.infer<typeof script>
export type ScriptScene = z.infer<typeof scene>
export type ScriptStep = z.infer<typeof step>
export type ScriptAnswer = z.infer<typeof alternative>
export type ScriptCondition = z.infer<typeof condition>
export type ScriptedFailure = z.infer<typeof fail>

/** Takes a parsed JSON or YAML value; a list of scenes alone is a script too. */
export function readScript(value: unknown): ModelScript {
  return readValue(script, Array.isArray(value) ? { scenes: value } : value, 'script')
}
