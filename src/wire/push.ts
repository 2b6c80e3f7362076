/** Web Push: what a browser sends, and what it is told. */
import { z } from 'zod'
import { object, ofCore, optional, strictObject } from './named.ts'
import { time } from './values.ts'

export const quietHours = ofCore(
  'QuietHours',
  'time/quiet-hours.ts',
  z.strictObject({
    from: z.string().describe('On the wall in that zone, as in 22:00.'),
    to: z.string().describe('May be earlier than from: then it is on the next day.'),
    zone: z.string().max(64).describe('An IANA name, as in Europe/Amsterdam.'),
  }),
)

const endpoint = z.string().describe('The address that the browser gave for its subscription.')

export const subscriptionBody = strictObject('PushSubscriptionInput', {
  endpoint,
  quiet: optional(quietHours, 'When nothing is pushed there.'),
})

export const endpointBody = z.strictObject({ endpoint })

export const push = object('WirePush', {
  on: z.boolean().describe('Whether this server sends pushes at all.'),
  publicKey: optional(z.string(), 'For pushManager.subscribe, base64url.'),
  subscriptions: z
    .array(
      z.object({
        id: z.string().describe('SHA-256 of the endpoint, hex.'),
        createdAt: time,
        quiet: quietHours.exactOptional(),
      }),
    )
    .describe('Of the one who asks.'),
})
