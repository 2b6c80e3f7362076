/**
 * What notices need of the browser, in the smallest shape: whether it may show them, showing and closing them, and the
 * number on the app's icon. What a browser does not have, it does not do.
 */

export interface NotificationPage {
  readonly document: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>
  readonly navigator: {
    readonly serviceWorker?: Pick<ServiceWorkerContainer, 'getRegistration'>
    setAppBadge?(count: number): Promise<void>
    clearAppBadge?(): Promise<void>
  }
  /** Absent where the browser has none, or the page was not served safely. */
  readonly Notification?: {
    new (title: string, options: NotificationOptions): Notification
    readonly permission: NotificationPermission
    requestPermission(): Promise<NotificationPermission>
  }
  focus(): void
}

export type NotificationAccess = NotificationPermission | 'unsupported'

/** `renotify` is in browsers and not yet in the types. */
export type PageNotificationOptions = NotificationOptions & { tag: string; renotify: boolean }

export interface NotificationBrowser {
  permission(): NotificationAccess
  ask(): Promise<NotificationAccess>
  isHidden(): boolean
  onVisible(listener: () => void): () => void
  show(title: string, options: PageNotificationOptions): Promise<void>
  close(tag: string): Promise<void>
  setBadge(count: number): void
}

export function createNotificationBrowser(page: NotificationPage): NotificationBrowser {
  const { document, navigator } = page
  let open: Notification | undefined

  async function registration(): Promise<ServiceWorkerRegistration | undefined> {
    return (await navigator.serviceWorker?.getRegistration().catch(() => undefined)) ?? undefined
  }

  return {
    permission: () => page.Notification?.permission ?? 'unsupported',
    ask: async () => (await page.Notification?.requestPermission()) ?? 'unsupported',
    isHidden: () => document.visibilityState === 'hidden',
    onVisible(listener) {
      const told = () => document.visibilityState === 'visible' && listener()
      document.addEventListener('visibilitychange', told)
      return () => document.removeEventListener('visibilitychange', told)
    },
    async show(title, options) {
      // Phones take notifications from a service worker only, and a click on one finds the page again there.
      const worker = await registration()
      if (worker !== undefined) return worker.showNotification(title, options)
      if (page.Notification === undefined) return
      try {
        open = new page.Notification(title, options)
        open.onclick = () => page.focus()
      } catch {
        // Not without a worker, in this browser.
      }
    },
    async close(tag) {
      open?.close()
      open = undefined
      const worker = await registration()
      for (const one of (await worker?.getNotifications({ tag })) ?? []) one.close()
    },
    setBadge(count) {
      // A badge that can't be set is no loss.
      if (count > 0) navigator.setAppBadge?.(count).catch(() => {})
      else navigator.clearAppBadge?.().catch(() => {})
    },
  }
}
