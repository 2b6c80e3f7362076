/** What comes in and goes out about the policy. */
import { z } from 'zod'
import { callParts } from './bodies.ts'
import type { WirePolicy } from './types/history.ts'
import { jsonObject } from './values.ts'

const text = z
  .string()
  .max(512 * 1024)
  .describe(
    'A whole configuration file, as YAML. It is checked as the file would be, and nothing comes to hold.',
  )

/** Nothing is recorded, so the call need not have a name of its own. */
export const explainBody = z.strictObject({
  ...callParts,
  callId: z.string().exactOptional(),
  session: z.string().exactOptional(),
  mode: z.string().exactOptional().describe("The session's mode, in place of the policy's."),
  text: text.exactOptional(),
})

/** A policy that does not hold, to be tried on what is on record: a file, or what stands in one. */
export const replayBody = z
  .strictObject({
    policy: jsonObject.exactOptional().describe('The value under policy: of a configuration file.'),
    tools: jsonObject.exactOptional().describe('The value under tools:.'),
    text: text.exactOptional(),
    days: z.int().min(1).max(365).exactOptional().describe('How far back; 30 unless given.'),
    limit: z.int().min(1).max(50_000).exactOptional().describe('At most this many calls; 5000 unless given.'),
  })
  .refine(({ policy, text }) => (policy === undefined) !== (text === undefined), {
    error: 'give either policy, or the text of a whole configuration file',
  })
  .refine(({ tools, text }) => tools === undefined || text === undefined, {
    error: 'a whole configuration file has its own tools: in it',
    path: ['tools'],
  })

export const applyBody = z.strictObject({
  digest: z.string().describe('Of the changed text, as it was shown.'),
})

export const policyAnswer: z.ZodType<WirePolicy> = z.object({
  version: z.string(),
  source: z.enum(['file', 'built_in', 'demonstration', 'pet']),
  file: z.string(),
  status: z.enum(['trusted', 'absent', 'gone', 'untrusted']),
  text: z.string().describe('What holds, as YAML, with secrets masked.'),
  changed: z
    .object({ text: z.string(), digest: z.string(), mistake: z.string().exactOptional() })
    .exactOptional()
    .describe('The text in the file, where it is not what holds.'),
  mode: z.string(),
  modes: z.array(z.string()),
  warnings: z.array(
    z.object({
      message: z.string(),
      pointer: z.string(),
      line: z.number().exactOptional(),
      column: z.number().exactOptional(),
    }),
  ),
  tests: z.object({
    passed: z.number(),
    failed: z.array(
      z.object({
        call: z.string(),
        expected: z.string(),
        found: z.string(),
        line: z.number().exactOptional(),
      }),
    ),
  }),
  tools: z.array(
    z.object({ name: z.string(), kind: z.string().exactOptional(), argument: z.string().exactOptional() }),
  ),
})
