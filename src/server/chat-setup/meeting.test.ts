import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import {
  startTelegramServer,
  type TelegramServer,
} from '../../people/chats/telegram/fixtures/telegram-server.ts'
import { createTelegram } from '../../people/chats/telegram/telegram.ts'
import { createFakeClock } from '../../testing/fake-clock.ts'
import { type Meeting, startMeeting } from './meeting.ts'

let service: TelegramServer
let meeting: Meeting
const faults: unknown[] = []
afterEach(async () => {
  await meeting.close()
  await service.close()
  faults.splice(0)
})

async function meet(clock = createFakeClock()) {
  service = await startTelegramServer(() => clock.now())
  service.started.add(101)
  meeting = startMeeting({
    service: createTelegram({ token: service.token, url: service.url }),
    locale: 'zh',
    clock,
    onFault: (fault) => void faults.push(fault),
  })
  return clock
}

describe('meeting the person who sets a chat up', () => {
  it('P5: a code that nobody writes in time finds nobody, and is worth nothing afterwards', async () => {
    const clock = await meet()
    const code = meeting.newCode()
    const nobody = meeting.writer(600_000)
    clock.advance(600_000)
    expect(await nobody).toBeUndefined()
    meeting.newCode()
    const writer = meeting.writer(600_000)
    service.write({ from: 101, chat: 101, text: code })
    await until(() => service.sent(101).length === 1)
    expect(service.sent(101)[0]!.text).toBe('关联码无效，请发送终端里当前显示的那一个。')
    clock.advance(600_000)
    expect(await writer).toBeUndefined()
  })

  it('a card that nobody clicks in time says so, and its button decides nothing', async () => {
    const clock = await meet()
    const clicked = meeting.tryCard({ account: '101' }, 600_000)
    await until(() => service.sent(101).length === 1)
    const { id, buttons } = service.sent(101)[0]!
    clock.advance(600_000)
    expect(await clicked).toBe(false)
    expect(service.sent(101)[0]).toMatchObject({
      buttons: [],
      text: expect.stringContaining('没有在限定时间内'),
    })
    service.click({ from: 101, chat: 101, message: id, data: buttons[0]![0]!.callback_data! })
    await until(() => service.answers.length === 1)
    expect(service.answers[0]).toMatchObject({ isAlert: true, text: expect.stringContaining('没有作出决定') })
  })

  it('answers strangers a few times, and then no more', async () => {
    await meet()
    meeting.newCode()
    void meeting.writer(600_000)
    for (let from = 200; from < 230; from++) {
      service.started.add(from)
      service.write({ from, chat: from, text: '/start' })
      service.write({ from, chat: from, text: 'hello' })
    }
    await until(() => service.waiting() === 0)
    expect(service.calls.filter(({ method }) => method === 'sendMessage')).toHaveLength(20)
  })
})
