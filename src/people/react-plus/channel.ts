/**
 * The channel of chats over server-sent events. It serves only what was said in it. A request is told on the streams of
 * its conversation, which follow the agent's events: these name a request after it was committed (P1), so there is nothing
 * to deliver.
 */
import { defined } from '../../core/defined.ts'
import type { Channel } from '../channel.ts'

export const CHANNEL = 'react-plus'

export interface ReactPlusChannelOptions {
  /** How long a request waits that came up in this channel, where no rule says otherwise. */
  deadlineMs?: number
}

export function createReactPlusChannel({ deadlineMs }: ReactPlusChannelOptions = {}): Channel {
  return {
    name: CHANNEL,
    kind: 'live',
    pull: true,
    serves: (origin) => origin?.channel === CHANNEL,
    ...defined({ deadlineMs }),
  }
}
