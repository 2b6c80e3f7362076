/** Web Push where it is switched on: its key in the data folder, and who may be told, as the directory says now. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Directory, eligiblePeople } from '../../core/authority.ts'

import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import { currentTerms, type Request } from '../../core/request.ts'
import type { Channel } from '../../people/channel.ts'
import { createPush, type PushSubscribing } from '../../people/push/create-push.ts'
import { createVapid, generateVapidKey, type Vapid } from '../../people/push/vapid.ts'
import type { Store } from '../../stores/store.ts'
import type { PushConfiguration } from '../configuration/push-configuration.ts'
import type { DataFolder } from '../installation/data-folder.ts'

export interface PushOptions {
  configuration: PushConfiguration | undefined
  folder: Pick<DataFolder, 'pushKey'>
  store: Pick<Store, 'settings' | 'sessions' | 'tokens' | 'now'>
  directory: () => Directory
  report: (fault: { doing: string; error: unknown }) => void
}

export interface ServerPush {
  /** None where it is not switched on. */
  channels: Channel[]
  desk?: PushSubscribing
}

export function openPush({ configuration, folder, store, directory, report }: PushOptions): ServerPush {
  if (configuration === undefined) return { channels: [] }
  const { contact, services, afterMs } = configuration
  const { channel, desk } = createPush({
    keeping: store.settings,
    vapid: openVapid(folder.pushKey, contact),
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
  return { channels: [channel], desk }
}

function openVapid(file: string, contact: string): Vapid {
  if (!existsSync(file)) writeFileSync(file, generateVapidKey(), { mode: 0o600, flag: 'wx' })
  try {
    return createVapid(readFileSync(file, 'utf8'), contact)
  } catch (error) {
    if (!isBanksmanError(error)) throw error
    throw new BanksmanError(
      error.code,
      `${file}: ${error.message}; without the file a new key is made, and every browser has to subscribe again`,
    )
  }
}
