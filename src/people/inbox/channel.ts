/**
 * The inbox: people come and look. A request is there as soon as it is committed and stays until it is decided, so there
 * is nothing to deliver, and it serves whatever the origin: an approver can always answer there.
 */
import type { Channel } from '../channel.ts'

export function createInboxChannel(): Channel {
  return {
    name: 'inbox',
    kind: 'durable',
    pull: true,
    serves: () => true,
    reaches: (people) => people.length > 0,
  }
}
