/** Written by `npm run generate:wire` from src/wire/push.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { QuietHours } from '../../core/time/quiet-hours.ts'

export interface PushSubscriptionInput {
  /** The address that the browser gave for its subscription. */
  endpoint: string
  /** When nothing is pushed there. */
  quiet?: QuietHours
}

export interface WirePush {
  /** Whether this server sends pushes at all. */
  on: boolean
  /** For pushManager.subscribe, base64url. */
  publicKey?: string
  /** Of the one who asks. */
  subscriptions: {
    /** SHA-256 of the endpoint, hex. */
    id: string
    createdAt: string
    quiet?: QuietHours
  }[]
}
