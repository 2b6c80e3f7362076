/** What comes in and goes out about the policy. */
import { z } from 'zod'
import { callParts } from './call.ts'
import { named, object, optional, strictObject } from './named.ts'
import { jsonObject } from './values.ts'

const text = z
  .string()
  .max(512 * 1024)
  .describe(
    'A whole configuration file, as YAML. It is checked as the file would be, and nothing is applied.',
  )

export const explainBody = strictObject(
  'ExplainInput',
  'Nothing is recorded, so the call needs no id and no session.',
  {
    ...callParts,
    callId: z.string().exactOptional(),
    session: z.string().exactOptional(),
    mode: optional(z.string(), "The session's mode, in place of the policy's."),
    text: text.exactOptional(),
  },
)

export const replayBody = named(
  'ReplayInput',
  z
    .strictObject({
      policy: optional(jsonObject, 'The value under policy: of a configuration file.'),
      tools: optional(jsonObject, 'The value under tools:.'),
      text: text.exactOptional(),
      days: optional(z.int().min(1).max(365), 'How far back; 30 unless given.'),
      limit: optional(z.int().min(1).max(50_000), 'At most this many calls; 5000 unless given.'),
    })
    .refine(({ policy, text }) => (policy === undefined) !== (text === undefined), {
      error: 'give either policy, or the text of a whole configuration file',
    })
    .refine(({ tools, text }) => tools === undefined || text === undefined, {
      error: 'a whole configuration file has its own tools: in it',
      path: ['tools'],
    })
    .describe('A policy that is not in force, to be tried on the calls on record.'),
)

export const applyBody = z.strictObject({
  digest: z.string().describe('Of the changed text, as it was shown.'),
})

export const warning = object('WirePolicyWarning', {
  message: z.string().describe("In the reader's language."),
  pointer: z.string(),
  line: z.number().exactOptional(),
  column: z.number().exactOptional(),
})

export const failedTest = object('WireFailedTest', {
  call: z.string().describe('What was to be judged, in a line.'),
  expected: z.string().describe('The verdict, and the rule where one is expected.'),
  found: z.string().describe('The verdict and why.'),
  line: z.number().exactOptional(),
})

export const policyAnswer = object('WirePolicy', {
  version: z.string().describe('The digest of the policy in force.'),
  source: z
    .enum(['file', 'built_in', 'demonstration', 'pet'])
    .describe(
      'file: the trusted text of the file. built_in: everything is asked. demonstration, pet: what comes with these.',
    ),
  file: z.string().describe('Where the file is or would be.'),
  status: z.enum(['trusted', 'absent', 'gone', 'untrusted']),
  text: z
    .string()
    .describe(
      'The policy in force, as YAML: a whole configuration file. What is not in a file is written out. Secrets of a known shape stand as their masks here and in changed, and hidden characters are written out; the line breaks are those of the file. It can be sent to replay and explain as it is: a mask then stands for some other word.',
    ),
  changed: optional(
    z.object({
      text: z
        .string()
        .describe(
          "Empty where it is no text, and, for who is no admin, where it can't be read or sets nothing: it may be any file.",
        ),
      digest: z.string(),
      mistake: optional(z.string(), "Why it can't be applied: every mistake in it, a line for each."),
      warnings: optional(
        z.array(warning),
        'What is right in it but probably not meant, where there is such a thing and the text is shown.',
      ),
    }),
    'The text in the file, where it is not what is in force. It takes effect when someone with the role admin applies it.',
  ),
  mode: z.string(),
  modes: z.array(z.string()),
  warnings: z.array(warning),
  tests: z.object({ passed: z.number(), failed: z.array(failedTest) }),
  tools: z
    .array(
      z.object({
        name: z.string(),
        kind: z.string().exactOptional(),
        argument: z.string().exactOptional(),
      }),
    )
    .describe('What the policy knows of tools, with the argument that each is mainly about.'),
})
