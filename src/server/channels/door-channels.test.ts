import { expect, it, onTestFinished } from 'vitest'
import { openTestGateway } from '../../gateway/fixtures/test-gateway.ts'
import type { PublicDoor } from '../../people/door.ts'
import type { ChannelHost } from './channel-registration.ts'
import { openChannels } from './open-channels.ts'

it('P9: a driver with a door of another channel is refused, which would not be known for a chat', async () => {
  const setup = await openTestGateway()
  onTestFinished(() => setup.close())
  const door: PublicDoor = {
    kind: 'public',
    channel: 'relay-web',
    path: '/relay/hello',
    summary: 'Says hello.',
    places: 1,
    answer: async () => ({ kind: 'empty', status: 204 }),
  }
  const driver = {
    channel: { name: 'relay', kind: 'durable' as const, serves: () => true },
    connect: () => ({ doors: [door] }),
  }
  const configured = [{ key: 'relay', options: {}, create: async () => driver }]
  const channels = await openChannels(configured, { report: () => {} } as unknown as ChannelHost)
  expect(() => channels.open(setup.gateway, { main: undefined })).toThrow(/has a door of channel relay-web/)
})
