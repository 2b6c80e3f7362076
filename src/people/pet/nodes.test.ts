/** The channel at several processes on one store, with people connected to any of them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { createFakeClock, type FakeClock } from '../../testing/fake-clock.ts'
import { type Client, openTestPet, type TestPet } from './fixtures/test-pet.ts'
import { wireId } from './shown-call.ts'

async function openNodes(): Promise<{ one: TestPet; other: TestPet; clock: FakeClock }> {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-pets-'))
  const clock = createFakeClock()
  const open = () => openTestPet({ setup: { path: join(folder, 'test.db'), clock } })
  const [one, other] = [await open(), await open()]
  onTestFinished(async () => {
    await one.close()
    await other.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { one, other, clock }
}

/** By the machine's time, since a hint between two connections to a file comes by it. */
/** The clock goes on meanwhile: what is looked at now and then comes to pass, too. */
function inTime(clock: FakeClock, condition: () => boolean | Promise<boolean>): Promise<void> {
  return until(async () => {
    if (await condition()) return true
    await clock.advance(20)
    return false
  })
}

const asked = (client: Client) => client.pushes('tool_approval').map((push) => push.data.request_id)
const settled = (client: Client) =>
  client.pushes('tool_approval_resolved').map((push) => push.data.request_id)

describe('at several processes', () => {
  it('P1: a request is shown where its person is connected, wherever it came up', async () => {
    const { one, other, clock } = await openNodes()
    const bystander = await one.connect('ben')
    const client = await other.connect('ana')
    const request = await one.ask('ana')
    await inTime(clock, () => asked(client).length > 0)
    await clock.advance(10_000)
    expect(asked(client)).toEqual([wireId(request)])
    expect(asked(bystander)).toEqual([])
  })

  it('P1: also where nobody at all is connected to the process that asks', async () => {
    const { one, other, clock } = await openNodes()
    const client = await other.connect('ana')
    const request = await one.ask('ana')
    await inTime(clock, () => asked(client).length > 0)
    client.answer(wireId(request), true)
    await inTime(clock, async () => (await one.state(request)) === 'approved')
  })

  it('P2: who is connected to two processes is asked at both, answers at one and is told at the other', async () => {
    const { one, other, clock } = await openNodes()
    const here = await one.connect('ana')
    const there = await other.connect('ana')
    const request = await one.ask('ana')
    await inTime(clock, () => asked(here).length > 0 && asked(there).length > 0)
    there.answer(wireId(request), false)
    await inTime(clock, () => settled(here).length > 0)
    await clock.advance(10_000)
    expect([asked(here), asked(there)]).toEqual([[wireId(request)], [wireId(request)]])
    expect([settled(here), settled(there)]).toEqual([[wireId(request)], []])
    expect(await one.state(request)).toBe('rejected')
  })

  it('P1: what the process that asked could show to nobody is shown to who comes to another', async () => {
    const { one, other, clock } = await openNodes()
    const bystander = await one.connect('ben')
    const before = await one.connect('ana')
    before.hangUp()
    const request = await one.ask('ana')
    await clock.advance(10_000)
    await one.setup.store.close()
    expect(asked(bystander)).toEqual([])
    const [delivery] = await other.setup.store.deliveries.list(request.id)
    expect(delivery).toMatchObject({ shownVersion: 0 })
    const client = await other.connect('ana')
    expect(asked(client)).toEqual([wireId(request)])
  })
})
