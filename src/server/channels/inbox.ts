/** The inbox is always there. */
import { defineChannel } from './channel-registration.ts'

export const inbox = defineChannel({
  key: 'inbox',
  read: () => ({}),
  async create() {
    const { createInboxChannel } = await import('../../people/inbox/channel.ts')
    return { channel: createInboxChannel(), connect: () => ({}) }
  },
})
