/** The value under `agent.model`, checked when the file is read and before any model is opened. */
import { z } from 'zod'
import { readValue } from '../read-value.ts'

const url = z.string().superRefine((value, context) => {
  const issue = (message: string) => context.addIssue({ code: 'custom', message, input: value })
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    return issue('must be an address with http or https, as in http://127.0.0.1:11434/v1')
  const { username, password, search, hash } = new URL(value)
  if (username !== '' || password !== '')
    issue('must not have a name or password in it; use apiKeyEnv or headers')
  if (search !== '' || hash !== '') issue('must end with the path')
})

const environmentName = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, never the key itself')

const headers = z.record(
  z.string().regex(/^[!#$%&'*+.^`|~\w-]+$/, 'must be the name of a header'),
  z.string().regex(/^[\t\x20-\x7e]*$/, 'must be a value that fits into a header'),
)

const tuning = {
  maxTokens: z.int().min(1, 'must be at least 1').optional(),
  temperature: z.number().min(0, 'must be between 0 and 2').max(2, 'must be between 0 and 2').optional(),
}
const served = {
  model: z.string({ error: 'must be the name of a model' }).min(1, 'must be the name of a model'),
  apiKeyEnv: environmentName.optional(),
  headers: headers.optional(),
  reasoning: z.enum(['none', 'low', 'medium', 'high']).optional(),
  idleTimeoutMs: z.int().min(1000, 'must be at least 1000').optional(),
  ...tuning,
}

export const modelSchema = z.discriminatedUnion(
  'provider',
  [
    z.strictObject({ provider: z.literal('anthropic'), baseUrl: url.optional(), ...served }),
    z.strictObject({ provider: z.literal('openai-compatible'), baseUrl: url, ...served }),
    z.strictObject({
      provider: z.literal('scripted'),
      script: z.string({ error: 'must be the path of a script' }).min(1, 'must be the path of a script'),
      model: z.string().optional(),
      ...tuning,
    }),
  ],
  { error: 'must have a provider: anthropic, openai-compatible or scripted' },
)

export type ModelConfiguration = z.infer<typeof modelSchema>

/** Checks the value without opening anything, so that a mistake is told when the file is read. */
export function readModelConfiguration(value: unknown, place = 'agent.model'): ModelConfiguration {
  return readValue(modelSchema, value, place)
}

/** An address that the environment names. */
export function readModelAddress(value: string, variable: string): string {
  return readValue(url, value, variable)
}
