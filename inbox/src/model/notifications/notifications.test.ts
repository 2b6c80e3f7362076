import { signal } from '@preact/signals'
import { describe, expect, it } from 'vitest'
import type { Client, WireRequest } from '../../../../src/client/index.ts'
import { createMemoryStorage } from '../browser/fixtures/memory-storage.ts'
import { createSnoozed } from '../requests/snoozed.ts'
import { createFakeNotificationPage } from './fixtures/notification-page.ts'
import { createNotifications } from './notifications.ts'
import type { PushPage } from './web-push.ts'

const request = (id: string) => ({ id, tool: 'deploy', yours: true, expiresAt: null }) as WireRequest

function open(kept = createMemoryStorage()) {
  const page = createFakeNotificationPage()
  const asked: string[] = []
  const push = {
    async state() {
      asked.push('state')
      return { on: false, subscriptions: [] }
    },
  } as unknown as Client['push']
  const pending = signal<readonly WireRequest[]>([request('1'), request('2')])
  const snoozed = createSnoozed(() => kept)
  const reminders = createNotifications({
    client: { push },
    pending,
    isListed: signal(true),
    snoozed,
    subject: 'ana',
    language: 'en',
    storage: () => kept,
    page: page as typeof page & PushPage,
  })
  return { page, asked, pending, snoozed, reminders }
}

describe('reminders', () => {
  it('count what waits, without what was put off, until the page is left', () => {
    const { page, pending, snoozed, reminders } = open()
    pending.value = [request('1')]
    snoozed.snooze(request('1'), Date.now(), 60_000)
    snoozed.wake('1')
    reminders.close()
    pending.value = []
    expect(page.badges).toEqual([2, 1, 0, 1, 0])
  })

  it('ask the server about pushes only where this person switched them on in this browser', () => {
    expect(open().asked).toEqual([])
    const kept = createMemoryStorage()
    kept.setItem('banksman.push', '"ben"')
    expect(open(kept).asked).toEqual([])
    kept.setItem('banksman.push', '"ana"')
    expect(open(kept).asked).toEqual(['state'])
  })
})
