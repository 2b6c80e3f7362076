/** Following a conversation at another node than the one that runs its turn. */
import { describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { ana, approve } from '../../gateway/fixtures/test-gateway.ts'
import { follow, isOver, LONG_MS, NOTE, open, say } from '../fixtures/node-conversations.ts'
import { collect, find, kinds, waiting } from '../fixtures/test-agent.ts'

describe('listening at another node', () => {
  it('tells all that is kept, what waits and the end, while the turn runs elsewhere', async () => {
    const nodes = open()
    const one = await nodes.open({ script: NOTE, policy: {} })
    const other = await nodes.open({ script: NOTE, policy: {} })
    const { after } = await say(one)
    const [request] = await waiting(one)
    const heard = follow(other, after)
    const late: string[] = []
    const listener = (async () => {
      for await (const event of other.agent.events('s1', {}, ana)) {
        late.push(event.kind)
        if (event.kind === 'turn_ended') return
      }
    })()
    await nodes.clock.advance(3000)
    await approve(other.setup, request!)
    await until(() => isOver(other))
    await nodes.clock.advance(3000)
    const events = await heard
    expect(kinds(events)).toEqual([
      'turn_begun',
      'model_answered',
      'call_proposed',
      'call_waiting',
      'call_finished',
      'model_answered',
      'turn_ended',
    ])
    expect(find(events, 'call_waiting')).toMatchObject({ request: request!.id, tool: 'note' })
    expect(find(events, 'call_finished')).toMatchObject({ request: request!.id, text: 'noted x' })
    await listener
    expect(late.at(-1)).toBe('turn_ended')
  })

  it('P7: goes on at another node when the one that was listened to has died', async () => {
    const nodes = open()
    const one = await nodes.open({ script: NOTE, policy: {} })
    const other = await nodes.open({ script: NOTE, policy: {} })
    await other.agent.resume()
    const { after } = await say(one)
    const seen = []
    for await (const event of one.agent.events('s1', { after }, ana)) {
      seen.push(event)
      if (event.kind === 'call_waiting') break
    }
    await one.kill()
    const rest = follow(other, seen.at(-1)!.id)
    await nodes.clock.advance(LONG_MS)
    await approve(other.setup, (await waiting(other))[0]!)
    const told = kinds(await rest)
    expect(told[0]).toBe('turn_begun')
    expect(told).toContain('call_waiting')
    expect(told.at(-1)).toBe('turn_ended')
  })

  it('hears of a turn that is begun elsewhere later', async () => {
    const nodes = open()
    const one = await nodes.open()
    const other = await nodes.open()
    await one.say('first')
    const heard = collect(other.agent.events('s1', {}, ana), 't2')
    await nodes.clock.advance(100)
    await one.say('second')
    await nodes.clock.advance(5000)
    expect(kinds(await heard)).toEqual(['turn_begun', 'model_answered', 'turn_ended'])
  })
})
