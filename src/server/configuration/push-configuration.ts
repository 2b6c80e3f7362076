/** What `banksman.yaml` says of Web Push. Without it, or while it is not switched on, the server calls nobody. */
import { z } from 'zod'
import { BanksmanError } from '../../core/errors.ts'
import { DURATION, parseDuration } from '../../core/time/duration.ts'
import { SERVICE } from '../../people/push/endpoint.ts'

export interface PushConfiguration {
  /** Where a push service can write to when something is wrong. */
  contact: string
  /** Push services besides the known ones. */
  services: string[]
  /** What is answered sooner is not pushed. */
  afterMs: number
}

const CONTACT = /^(?:mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/\S+)$/
const MAX_AFTER_MS = 3_600_000

export const pushSchema = z.strictObject({
  on: z.boolean().default(false),
  contact: z
    .string()
    .regex(CONTACT, 'must be an address that push services can write to, as in mailto:ops@example.org')
    .optional(),
  services: z
    .array(
      z
        .string()
        .regex(SERVICE, 'must be a host, with a port if need be, as in push.example.org or 127.0.0.1:8090'),
    )
    .default([]),
  after: z
    .string()
    .regex(DURATION, 'must be a number with a unit: ms, s, m or h, as in 5s')
    .transform(parseDuration)
    .refine((ms) => ms <= MAX_AFTER_MS, 'must be at most 1h')
    .default(5000),
})

export function readPushConfiguration(
  block: z.infer<typeof pushSchema> | undefined,
): PushConfiguration | undefined {
  if (block?.on !== true) return undefined
  const { contact, services, after } = block
  if (contact === undefined) {
    throw new BanksmanError(
      'invalid_configuration',
      'push needs a contact: an address that push services can write to, as in contact: mailto:ops@example.org',
      { pointer: '/push' },
    )
  }
  return { contact, services, afterMs: after }
}
