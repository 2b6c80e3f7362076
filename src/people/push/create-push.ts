/** Web Push as a driver: the channel for the gateway, and where people subscribe. */

import { defined } from '../../core/defined.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { QuietHours } from '../../core/time/quiet-hours.ts'
import { CLOCK_TIME, isTimeZone } from '../../core/time/quiet-hours.ts'
import type { WirePush } from '../../wire/types/push.ts'
import type { ChannelDriver, PushSubscribing } from '../driver.ts'
import { createPushChannel, type PushChannelParts } from './channel.ts'
import { checkEndpoint } from './endpoint.ts'
import { createPushSender } from './send-push.ts'
import { createSubscriptions, endpointId, type SubscriptionStore } from './subscriptions.ts'
import type { Vapid } from './vapid.ts'

export interface PushChannelSetup extends Omit<PushChannelParts, 'subscriptions' | 'sender'> {
  keeping: SubscriptionStore
  vapid: Vapid
  /** Push services besides the known ones. */
  services: readonly string[]
}

export function createPush(parts: PushChannelSetup): ChannelDriver {
  const { keeping, vapid, services, now } = parts
  const subscriptions = createSubscriptions(keeping)
  const sender = createPushSender({ vapid, services, now })

  async function state(subject: string): Promise<WirePush> {
    const mine = await subscriptions.of(subject)
    return {
      on: true,
      publicKey: vapid.publicKey,
      subscriptions: mine.map(({ id, createdAt, quiet }) => ({
        id,
        createdAt: new Date(createdAt).toISOString(),
        ...defined({ quiet }),
      })),
    }
  }

  const push: PushSubscribing = {
    state,
    async subscribe({ subject, token }, { endpoint, quiet }) {
      const { href } = checkEndpoint(endpoint, services)
      await subscriptions.put(subject, {
        id: endpointId(href),
        endpoint: href,
        token,
        createdAt: now(),
        ...(quiet === undefined ? {} : { quiet: checkQuiet(quiet) }),
      })
      return state(subject)
    },
    async unsubscribe(subject, endpoint) {
      const id = endpointId(URL.canParse(endpoint) ? new URL(endpoint).href : endpoint)
      await subscriptions.remove(subject, id)
    },
  }
  const channel = createPushChannel({ ...parts, subscriptions, sender })
  // Before the gateway, which would wait for a push that is on its way.
  return { channel, connect: () => ({ push, ...defined({ close: channel.close }) }) }
}

function checkQuiet(quiet: QuietHours): QuietHours {
  const { from, to, zone } = quiet
  for (const time of [from, to]) {
    if (!CLOCK_TIME.test(time)) throw reasonedError('invalid', reasonOf('quiet.times'))
  }
  if (from === to) throw reasonedError('invalid', reasonOf('quiet.same'))
  if (!isTimeZone(zone)) throw reasonedError('invalid', reasonOf('quiet.zone'))
  return { from, to, zone }
}
