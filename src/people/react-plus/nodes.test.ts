/** A chat at several servers on one store: each connection may come to another one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { createFakeClock, type FakeClock } from '../../testing/fake-clock.ts'
import { CHAT, type Frame, openTestChat, type TestChat } from './fixtures/test-chat.ts'

const houses: TestChat[] = []
let folder = ''
let clock: FakeClock
afterEach(async () => {
  for (const setup of houses.splice(0)) {
    const closing = setup.close()
    await clock.advance(10_000)
    await closing
  }
  rmSync(folder, { recursive: true, force: true })
})

async function openTwo(): Promise<[TestChat, TestChat]> {
  folder = mkdtempSync(join(tmpdir(), 'banksman-chats-'))
  clock = createFakeClock()
  const options = { path: join(folder, 'test.db'), workspace: join(folder, 'work'), clock, inbox: false }
  houses.push(await openTestChat(options), await openTestChat(options))
  for (const { setup } of houses) await setup.agent.resume()
  return [houses[0]!, houses[1]!]
}

/** Moves the time on until it has come: what is at another server is looked at every second. */
async function meanwhile<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  await until(async () => {
    if (!isDone) await clock.advance(1000)
    return isDone
  })
  return done
}

const weather = { sessionId: 's', message: '杭州的天气' }
const answer = (frame: Frame, selectedOptionId = 'approve') => ({
  sessionId: 's',
  requestId: frame.data.requestId,
  selectedOptionId,
  feedback: null,
})
const typesOf = (frames: Frame[]) => frames.map(({ type }) => type).filter((type) => type !== 'PROGRESS')
const historyOf = async ({ url, tokens }: TestChat) =>
  (await fetch(`${url}${CHAT}/s/messages`, { headers: { authorization: `Bearer ${tokens.ana}` } })).json()

describe('a chat at several servers', () => {
  it('P8: is followed at another one, answered there, and told to its end at both', async () => {
    const [one, other] = await openTwo()
    const stream = await one.stream(weather)
    const asked = await stream.until('TOOL_APPROVAL')
    expect(await historyOf(other)).toMatchObject({ running: 't1', messages: [{ role: 'user' }, {}] })
    const joined = await other.stream({ sessionId: 's' })
    const shown = await meanwhile(joined.until('TOOL_APPROVAL'))
    expect(shown.data.requestId).toBe(asked.data.requestId)
    expect(await other.respond(answer(shown))).toMatchObject({ success: true })
    expect((await meanwhile(stream.rest())).at(-1)?.type).toBe('COMPLETED')
    await meanwhile(joined.rest())
    expect(typesOf(joined.frames)).toEqual([
      'THINKING',
      'ACTING',
      'TOOL_APPROVAL',
      'TOOL',
      'THINKING',
      'COMPLETED',
    ])
    expect([one.cities, other.cities]).toEqual([['杭州'], []])
    expect(await historyOf(other)).toEqual(await historyOf(one))
  })

  it('P7: goes on at another one with Last-Event-ID when the one that ran it has died', async () => {
    const [one, other] = await openTwo()
    const stream = await one.stream(weather)
    const asked = await stream.until('TOOL_APPROVAL')
    await one.setup.setup.store.close()
    stream.drop()
    const again = await other.stream({ sessionId: 's' }, { headers: { 'last-event-id': asked.id } })
    const shown = await meanwhile(again.until('TOOL_APPROVAL'))
    expect(shown.data.requestId).toBe(asked.data.requestId)
    expect(await other.respond(answer(shown))).toMatchObject({ success: true })
    expect((await meanwhile(again.rest())).at(-1)?.type).toBe('COMPLETED')
    expect([one.cities, other.cities]).toEqual([[], ['杭州']])
    // Who has heard all of it is told its end again, wherever they come.
    const last = again.frames.findLast(({ id }) => id !== '')!
    const end = await other.stream({ sessionId: 's' }, { headers: { 'last-event-id': last.id } })
    expect((await meanwhile(end.rest())).at(-1)?.type).toBe('COMPLETED')
  })
})
