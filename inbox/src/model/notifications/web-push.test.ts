import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../../src/client/index.ts'
import { openTestGateway } from '../../../../src/gateway/fixtures/test-gateway.ts'
import type { ChannelPorts } from '../../../../src/people/driver.ts'
import { createPush as createServerPush } from '../../../../src/people/push/create-push.ts'
import { createVapid, generateVapidKey } from '../../../../src/people/push/vapid.ts'
import { type HttpGateway, openHttpGateway, type Who } from '../../../../test/fixtures/http-gateway.ts'
import { createMemoryStorage } from '../browser/fixtures/memory-storage.ts'
import {
  type BrowserSubscription,
  createWebPush,
  type PushPage,
  type PushRegistration,
  type WebPush,
} from './web-push.ts'

const NIGHT = { from: '22:00', to: '07:00', zone: 'UTC' }

let http: HttpGateway
let publicKey: string
let closeAll: (() => Promise<void>)[]
beforeEach(async () => {
  const setup = await openTestGateway()
  const vapid = createVapid(generateVapidKey(), 'mailto:ops@example.org')
  publicKey = vapid.publicKey
  const driver = createServerPush({
    keeping: setup.store.settings,
    vapid,
    services: [],
    afterMs: 5000,
    eligible: async () => [],
    holds: async () => true,
    now: setup.clock.now,
    report: () => {},
  })
  http = await openHttpGateway({ around: setup, http: { push: driver.connect({} as ChannelPorts).push! } })
  closeAll = [http.close, setup.close]
})
afterEach(async () => {
  for (const close of closeAll) await close()
})

/** A browser that subscribes at a push service of its own. */
function createBrowser({ answer = 'granted' as NotificationPermission, canPush = true } = {}) {
  let current: BrowserSubscription | null = null
  let made = 0
  const pushManager = {
    getSubscription: async () => current,
    async subscribe(options: { userVisibleOnly: true; applicationServerKey: BufferSource }) {
      const key = options.applicationServerKey as Uint8Array<ArrayBuffer>
      current = {
        endpoint: `https://fcm.googleapis.com/fcm/send/${++made}`,
        options: { applicationServerKey: key.buffer },
        async unsubscribe() {
          current = null
          return true
        },
      }
      return current
    },
  }
  const registration: PushRegistration = canPush ? { pushManager } : {}
  const browser = {
    asked: 0,
    current: () => current,
    pushManager,
    page: {
      navigator: {
        serviceWorker: { getRegistration: async () => registration, ready: Promise.resolve(registration) },
      },
      Notification: {
        async requestPermission() {
          browser.asked++
          return answer
        },
      },
    } satisfies PushPage,
  }
  return browser
}

function open(who: Who, browser: ReturnType<typeof createBrowser>, storage = createMemoryStorage()): WebPush {
  return createWebPush({
    client: createClient({ url: http.server.address.url, token: http.tokens[who] }),
    page: browser.page,
    storage: () => storage,
    subject: who,
    quiet: () => NIGHT,
  })
}

const registered = async (who: Who) => (await http.send('GET', '/v1/push', { as: who })).json.subscriptions

describe('Web Push in the browser', () => {
  it('is switched on with the key of the server and the quiet hours, and off again', async () => {
    const browser = createBrowser()
    const push = open('ben', browser)
    await push.renew()
    expect([push.state.value, browser.asked]).toEqual(['unsubscribed', 0])
    await push.subscribe()
    expect([push.state.value, browser.asked]).toEqual(['subscribed', 1])
    expect(await registered('ben')).toMatchObject([{ quiet: NIGHT }])
    const key = browser.current()?.options.applicationServerKey
    expect(Buffer.from(key!).toString('base64url')).toBe(publicKey)
    await push.unsubscribe()
    expect([push.state.value, browser.current(), await registered('ben')]).toEqual(['unsubscribed', null, []])
  })

  it('is told to the server again at the next visit, and not for another person', async () => {
    const [browser, storage] = [createBrowser(), createMemoryStorage()]
    await open('ben', browser, storage).subscribe()
    await http.send('DELETE', '/v1/push/subscription', {
      as: 'ben',
      body: { endpoint: browser.current()?.endpoint },
    })
    const again = open('ben', browser, storage)
    await again.renew()
    expect([again.state.value, (await registered('ben')).length]).toEqual(['subscribed', 1])
    const other = open('eve', browser, storage)
    await other.renew()
    expect([other.state.value, await registered('eve')]).toEqual(['unsubscribed', []])
    expect(browser.asked).toBe(1)
  })

  it('is made anew when the server has another key', async () => {
    const [browser, storage] = [createBrowser(), createMemoryStorage()]
    await browser.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: new Uint8Array(65) })
    const before = browser.current()?.endpoint
    storage.setItem('banksman.push', '"ben"')
    await open('ben', browser, storage).renew()
    expect(browser.current()?.endpoint).not.toBe(before)
    expect(await registered('ben')).toHaveLength(1)
  })

  it('stays off where the person refuses, the browser can not, or the server does not', async () => {
    const refused = open('ben', createBrowser({ answer: 'denied' }))
    await refused.subscribe()
    expect(refused.state.value).toBe('blocked')
    const unable = open('ben', createBrowser({ canPush: false }))
    await unable.renew()
    expect(unable.state.value).toBe('unsupported')
    await unable.subscribe()
    expect(unable.state.value).toBe('unsupported')
    expect(await registered('ben')).toEqual([])
    const without = await openHttpGateway()
    closeAll.unshift(without.close)
    const off = createWebPush({
      client: createClient({ url: without.server.address.url, token: without.tokens.ben }),
      page: createBrowser().page,
      storage: createMemoryStorage,
      subject: 'ben',
      quiet: () => undefined,
    })
    await off.renew()
    expect(off.state.value).toBe('off')
    await off.subscribe()
    expect(off.state.value).toBe('off')
  })
})
