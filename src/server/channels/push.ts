/** Web Push, where `push:` switches it on. Without that the server calls nobody. */

import { z } from 'zod'
import { eligiblePeople } from '../../core/authority.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import { currentTerms, type Request } from '../../core/request.ts'
import type { ChannelDriver } from '../../people/driver.ts'
import { SERVICE } from '../../people/push/endpoint.ts'
import type { Vapid } from '../../people/push/vapid.ts'
import { readIfThere } from '../host/read-file.ts'
import { putFile } from '../host/replace-file.ts'
import { type ChannelHost, defineChannel } from './channel-registration.ts'
import { shortDuration } from './duration-schema.ts'

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

const schema = z.strictObject({
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
  after: shortDuration.refine((ms) => ms <= MAX_AFTER_MS, 'must be at most 1h').default(5000),
})

export const push = defineChannel({
  key: 'push',
  schema,
  read(block): PushConfiguration | undefined {
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
  },
  create: openPush,
})

type PushHost = Pick<ChannelHost, 'folder' | 'directory' | 'report'> & {
  store: Pick<ChannelHost['store'], 'settings' | 'sessions' | 'tokens' | 'now'>
}

export async function openPush(
  { contact, services, afterMs }: PushConfiguration,
  { folder, store, directory, report }: PushHost,
): Promise<ChannelDriver> {
  const { createPush } = await import('../../people/push/create-push.ts')
  return createPush({
    keeping: store.settings,
    vapid: await openVapid(folder.pushKey, contact),
    services,
    afterMs,
    now: store.now,
    report,
    async eligible(request: Request) {
      const session = await store.sessions.get(request.session)
      const now = directory()
      const able = currentTerms(request).conditions.flatMap((condition) =>
        eligiblePeople(condition, now, session),
      )
      return [...new Set(able)].filter((subject) => subject === now.owner || now.people.has(subject))
    },
    async holds(subject, id) {
      const token = (await store.tokens.list()).find((one) => one.id === id)
      if (token === undefined || token.subject !== subject || token.role === 'agent') return false
      const { revokedAt, expiresAt } = token
      return revokedAt === undefined && (expiresAt === undefined || expiresAt > store.now())
    },
  })
}

async function openVapid(file: string, contact: string): Promise<Vapid> {
  const { createVapid, generateVapidKey } = await import('../../people/push/vapid.ts')
  const kept = readIfThere(file)
  const key = kept ?? generateVapidKey()
  if (kept === undefined) putFile(file, key)
  try {
    return createVapid(key, contact)
  } catch (error) {
    if (!isBanksmanError(error)) throw error
    throw new BanksmanError(
      error.code,
      `${file}: ${error.message}; without the file a new key is made, and every browser has to subscribe again`,
    )
  }
}
