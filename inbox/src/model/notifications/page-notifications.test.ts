import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../../../../src/testing/fake-clock.ts'
import { createMemoryStorage } from '../browser/fixtures/memory-storage.ts'
import { createDoNotDisturb } from './do-not-disturb.ts'
import { createFakeNotificationPage, type FakeNotificationPageOptions } from './fixtures/notification-page.ts'
import { createNotificationBrowser } from './notification-browser.ts'
import { createPageNotifications, type PendingNotification } from './page-notifications.ts'

const NOON = Date.parse('2026-05-01T12:00:00Z')
const DEADLINE = new Date(NOON + 3_600_000).toISOString()

function open(options: FakeNotificationPageOptions & { isOn?: boolean; language?: 'en' | 'zh' } = {}) {
  const { isOn = true, language = 'en', ...how } = options
  const clock = createFakeClock(NOON)
  const page = createFakeNotificationPage(how)
  const kept = createMemoryStorage()
  if (isOn) kept.setItem('banksman.notices', 'true')
  const storage = () => kept
  const quiet = createDoNotDisturb(storage)
  const snoozed = new Set<string>()
  const notices = createPageNotifications({
    browser: createNotificationBrowser(page),
    storage,
    quiet,
    isSnoozed: ({ id }) => snoozed.has(id),
    language,
    now: clock.now,
    after: clock.after,
  })
  return { clock, page, kept, quiet, snoozed, notices }
}

const request = (id: string, parts: Partial<PendingNotification> = {}): PendingNotification => ({
  id,
  tool: 'deploy',
  agent: { name: 'main' },
  yours: true,
  expiresAt: DEADLINE,
  ...parts,
})

describe('a notice', () => {
  it('says which tool and which agent, and nothing of the arguments', async () => {
    const { clock, page, notices } = open()
    page.hide()
    const whole = { ...request('1'), arguments: { password: 'hunter2' }, preview: 'hunter2' }
    notices.look([whole], true)
    await clock.advance(1000)
    expect(page.shown).toMatchObject([
      { title: 'A request needs your answer', options: { body: 'deploy, from main' } },
    ])
    expect(JSON.stringify(page.shown)).not.toContain('hunter2')
  })

  it('is one for a burst, and makes no second sound for what adds to it', async () => {
    const { clock, page, notices } = open({ language: 'zh' })
    page.hide()
    notices.look([request('1')], true)
    notices.look([request('1'), request('2', { tool: 'send_mail' })], true)
    await clock.advance(1000)
    notices.look([request('1'), request('2', { tool: 'send_mail' }), request('3')], true)
    await clock.advance(1000)
    expect(page.shown).toMatchObject([
      { title: '有 2 个请求待您处理', options: { body: 'deploy、send_mail', renotify: true } },
      { title: '有 3 个请求待您处理', options: { renotify: false } },
    ])
    expect(page.screen.size).toBe(1)
  })

  it('is not shown for what was answered at once, what others decide, and what was put off', async () => {
    const { clock, page, snoozed, notices } = open()
    page.hide()
    snoozed.add('3')
    notices.look([request('1'), request('2', { yours: false }), request('3')], true)
    notices.look([request('2', { yours: false }), request('3')], true)
    await clock.advance(5000)
    expect(page.shown).toEqual([])
  })

  it('is not shown while somebody looks, nor for what they have already seen', async () => {
    const { clock, page, notices } = open()
    notices.look([request('1')], true)
    await clock.advance(5000)
    page.hide()
    notices.look([request('1')], true)
    await clock.advance(5000)
    expect(page.shown).toEqual([])
    notices.look([request('1'), request('2')], true)
    await clock.advance(5000)
    expect(page.shown).toMatchObject([{ title: 'A request needs your answer' }])
  })

  it('is not shown for what is only being listed for the first time', async () => {
    const { clock, page, notices } = open()
    page.hide()
    notices.look([request('1')], false)
    notices.look([request('1'), request('2')], false)
    notices.look([request('1'), request('2')], true)
    await clock.advance(5000)
    expect(page.shown).toEqual([])
  })

  it('goes away when all that it spoke of is answered, and when the page is looked at', async () => {
    const { clock, page, notices } = open()
    page.hide()
    notices.look([request('1'), request('2')], true)
    await clock.advance(1000)
    notices.look([request('2')], true)
    await clock.advance(0)
    expect(page.screen.size).toBe(1)
    notices.look([], true)
    await clock.advance(0)
    expect(page.screen.size).toBe(0)
    notices.look([request('3')], true)
    await clock.advance(1000)
    expect(page.screen.size).toBe(1)
    page.look()
    await clock.advance(0)
    expect(page.screen.size).toBe(0)
  })

  it('shows what hides in the name of a tool, and cuts what is too long', async () => {
    const { clock, page, notices } = open()
    page.hide()
    notices.look([request('1', { tool: `a\u202e${'b'.repeat(200)}` })], true)
    await clock.advance(1000)
    const body = page.shown[0]?.options.body ?? ''
    expect(body).not.toContain('\u202e')
    expect(body.length).toBeLessThan(90)
    expect(body).toContain('…')
  })

  it('comes without a service worker too', async () => {
    const { clock, page, notices } = open({ worker: false })
    page.hide()
    notices.look([request('1')], true)
    await clock.advance(1000)
    expect(page.screen.size).toBe(1)
    notices.look([], true)
    await clock.advance(0)
    expect(page.screen.size).toBe(0)
  })
})

describe('quiet', () => {
  it('holds a notice back until it is over, if it still waits then', async () => {
    const { clock, page, quiet, notices } = open()
    quiet.setHours({ from: '11:00', to: '12:40', zone: 'UTC' })
    page.hide()
    notices.look([request('1'), request('2')], true)
    await clock.advance(39 * 60_000)
    expect(page.shown).toEqual([])
    notices.look([request('2')], true)
    await clock.advance(60_000)
    expect(page.shown).toMatchObject([{ title: 'A request needs your answer' }])
  })

  it('may end early', async () => {
    const { clock, page, quiet, notices } = open()
    quiet.snooze(NOON + 3_600_000)
    page.hide()
    notices.look([request('1')], true)
    await clock.advance(60_000)
    expect(page.shown).toEqual([])
    quiet.wake()
    await clock.advance(1000)
    expect(page.shown).toHaveLength(1)
  })
})

describe('permission', () => {
  it('is asked for by the button and never else, and the choice is remembered', async () => {
    const { clock, page, kept, notices } = open({ isOn: false, permission: 'default' })
    page.hide()
    notices.look([request('1')], true)
    await clock.advance(1000)
    expect([page.asked, page.shown.length, notices.isOn.value]).toEqual([0, 0, false])
    await notices.turnOn()
    expect([page.asked, notices.isOn.value, notices.permission.value]).toEqual([1, true, 'granted'])
    expect(kept.getItem('banksman.notices')).toBe('true')
    notices.turnOff()
    expect([notices.isOn.value, kept.getItem('banksman.notices')]).toEqual([false, null])
  })

  it('that is refused leaves it off, and is not asked for again', async () => {
    const { page, notices } = open({ isOn: false, permission: 'default', answer: 'denied' })
    await notices.turnOn()
    await notices.turnOn()
    expect([page.asked, notices.isOn.value, notices.permission.value]).toEqual([1, false, 'denied'])
  })

  it('that was taken back in the browser stops the notices', async () => {
    const { clock, page, notices } = open({ permission: 'denied' })
    page.hide()
    notices.look([request('1')], true)
    await clock.advance(1000)
    expect(page.shown).toEqual([])
  })

  it('can not be had in a browser without notifications', async () => {
    const { notices } = open({ isOn: false, notifications: false })
    await notices.turnOn()
    expect([notices.permission.value, notices.isOn.value]).toEqual(['unsupported', false])
  })
})

describe('the number on the icon', () => {
  it("is that of the reader's own, set when it changes, and gone at the end", () => {
    const { page, notices } = open({ isOn: false })
    notices.look([request('1'), request('2', { yours: false })], false)
    notices.look([request('1')], true)
    notices.look([request('1'), request('3')], true)
    notices.close()
    expect(page.badges).toEqual([1, 2, 0])
  })
})
