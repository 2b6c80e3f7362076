/**
 * Web Push in this browser: the browser subscribes at its own push service, and the server is told where. It belongs to
 * the person who switched it on and ends with their key, so it is told again whenever that person is here.
 */

import { type ReadonlySignal, signal } from '@preact/signals'
import type { QuietHours, ServerCalls } from '../../../../src/client/index.ts'
import { defined } from '../../../../src/core/defined.ts'
import { createStoredValue } from '../browser/stored-value.ts'

/** The smallest shapes of what the browser has. */
export interface PushPage {
  readonly navigator: {
    readonly serviceWorker?: {
      getRegistration(): Promise<PushRegistration | undefined>
      /** Never, where nothing is registered. */
      readonly ready: Promise<PushRegistration>
    }
  }
  readonly Notification?: { requestPermission(): Promise<NotificationPermission> }
}

export interface PushRegistration {
  readonly pushManager?: {
    getSubscription(): Promise<BrowserSubscription | null>
    subscribe(options: {
      userVisibleOnly: true
      applicationServerKey: BufferSource
    }): Promise<BrowserSubscription>
  }
}

export interface BrowserSubscription {
  readonly endpoint: string
  readonly options: { readonly applicationServerKey: ArrayBuffer | null }
  unsubscribe(): Promise<boolean>
}

export type WebPushState =
  | 'unknown'
  /** This server sends none. */
  | 'off'
  /** This browser can't take any here. */
  | 'unsupported'
  /** The person has told the browser to refuse. */
  | 'blocked'
  | 'unsubscribed'
  | 'subscribed'

export interface WebPushParts {
  client: Pick<ServerCalls, 'push'>
  page: PushPage
  storage: () => Storage
  subject: string
  /** As they are at that moment. */
  quiet(): QuietHours | undefined
}

export interface WebPush {
  readonly state: ReadonlySignal<WebPushState>
  /** Whether this person switched it on in this browser. */
  isChosen(): boolean
  /** Finds out how it stands. What this person switched on is told to the server again, with the quiet hours. */
  renew(): Promise<void>
  /** Asks the browser for permission. To be called by a button only. */
  subscribe(): Promise<void>
  unsubscribe(): Promise<void>
}

const NAME = 'banksman.push'

export function createWebPush({ client, page, storage, subject, quiet }: WebPushParts): WebPush {
  const state = signal<WebPushState>('unknown')
  /** Who switched it on here: another person in the same browser did not. */
  const chosenBy = createStoredValue(storage, NAME, (value) =>
    typeof value === 'string' ? value : undefined,
  )

  async function manager(): Promise<PushRegistration['pushManager']> {
    const worker = page.navigator.serviceWorker
    // One that is still being installed can't be subscribed with.
    if (worker === undefined || (await worker.getRegistration()) === undefined) return undefined
    return (await worker.ready).pushManager
  }

  async function tellServer({ endpoint }: BrowserSubscription): Promise<void> {
    const hours = quiet()
    await client.push.subscribe({ endpoint, ...defined({ quiet: hours }) })
    state.value = 'subscribed'
  }

  /** The one that is there if it was made for the server's key of today; else a new one. */
  async function subscribeBrowser(
    pushManager: NonNullable<PushRegistration['pushManager']>,
    publicKey: string,
  ): Promise<BrowserSubscription> {
    const key = bytesOf(publicKey)
    const present = await pushManager.getSubscription()
    if (present !== null && isSame(present.options.applicationServerKey, key)) return present
    await present?.unsubscribe()
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  }

  async function serverKey(): Promise<string | undefined> {
    const { on, publicKey } = await client.push.state()
    return on ? publicKey : undefined
  }

  return {
    state,
    isChosen: () => chosenBy.read() === subject,
    async renew() {
      const publicKey = await serverKey()
      if (publicKey === undefined) {
        state.value = 'off'
        return
      }
      const pushManager = await manager()
      if (pushManager === undefined) {
        state.value = 'unsupported'
        return
      }
      const present = await pushManager.getSubscription()
      if (present === null || chosenBy.read() !== subject) state.value = 'unsubscribed'
      else await tellServer(await subscribeBrowser(pushManager, publicKey))
    },
    async subscribe() {
      const [publicKey, pushManager] = [await serverKey(), await manager()]
      if (publicKey === undefined || pushManager === undefined || page.Notification === undefined) {
        state.value = publicKey === undefined ? 'off' : 'unsupported'
        return
      }
      if ((await page.Notification.requestPermission()) !== 'granted') {
        state.value = 'blocked'
        return
      }
      await tellServer(await subscribeBrowser(pushManager, publicKey))
      chosenBy.write(subject)
    },
    async unsubscribe() {
      chosenBy.write(undefined)
      const present = await (await manager())?.getSubscription()
      if (present !== null && present !== undefined) {
        // First here: whatever the server still sends then comes to nobody.
        await present.unsubscribe()
        await client.push.unsubscribe({ endpoint: present.endpoint })
      }
      state.value = 'unsubscribed'
    },
  }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function isSame(one: ArrayBuffer | null, other: Uint8Array): boolean {
  if (one === null || one.byteLength !== other.byteLength) return false
  const bytes = new Uint8Array(one)
  return other.every((byte, index) => byte === bytes[index])
}
