/**
 * Where people are asked in a world: a chat that is written to, an inbox that is looked into, and a live one that is there
 * while somebody is connected. They keep what they were given to show, and are slow or fail now and then.
 */
import type { JsonValue } from '../../../src/core/json/json.ts'
import type { Channel, Presentation } from '../../../src/people/channel.ts'
import type { Life } from './machine.ts'
import type { World } from './world.ts'

export const LIVE = 'live'

export function createChannels(world: World, life: Life): Channel[] {
  const { scheduler, faults, random } = world

  function show(channel: string, { request }: Presentation): Promise<JsonValue> {
    world.hearing.presenting(life, channel, request)
    const { id, version } = request
    const delayMs = faults.strikes('channel slow') ? random.between(100, 4000) : random.between(0, 10)
    const failsBefore = faults.strikes('channel failed')
    const failsAfter = faults.strikes('channel failed')
    return new Promise((resolve, reject) => {
      scheduler.after(delayMs, `${channel} shows ${id} v${version} of ${life.node}`, () => {
        if (!failsBefore) {
          world.hearing.presented(channel, request)
          if (request.state === 'pending') world.isShown(request)
        }
        life.after(random.between(0, 5), `${life.node} < ${channel}`, () => {
          if (failsBefore || failsAfter) reject(new Error(`${channel} failed`))
          else resolve(`${id} in ${channel}`)
        })
      })
    })
  }

  const showing = (channel: string) => ({
    present: (presentation: Presentation) => show(channel, presentation),
    update: (presentation: Presentation) => show(channel, presentation),
  })

  return [
    { name: 'inbox', kind: 'durable', pull: true, serves: (origin) => servedBy('inbox', origin?.channel) },
    {
      name: 'chat',
      kind: 'durable',
      serves: (origin) => servedBy('chat', origin?.channel),
      ...showing('chat'),
    },
    { name: LIVE, kind: 'live', serves: (origin) => servedBy(LIVE, origin?.channel), ...showing(LIVE) },
  ]
}

/** What begins in the live channel is asked there only; what has no origin, everywhere else; the rest, nowhere. */
export function servedBy(channel: string, origin: string | undefined): boolean {
  return channel === LIVE ? origin === LIVE : origin === undefined
}
