/**
 * What a service worker is given by the browser, as far as ours uses it. The types of the page and those of a worker
 * can't be had in one program, so the few that are needed are written down here.
 */
export interface WorkerScope {
  readonly location: { readonly href: string }
  readonly registration: {
    readonly scope: string
    showNotification(title: string, options: NotificationOptions): Promise<void>
  }
  readonly navigator: { readonly languages: readonly string[] }
  readonly caches: CacheStorage
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowOfOurs[]>
    openWindow(url: string): Promise<unknown>
  }
  fetch(request: Request | string, init?: RequestInit): Promise<Response>
  skipWaiting(): Promise<void>
  addEventListener<K extends keyof WorkerEvents>(type: K, listener: (event: WorkerEvents[K]) => void): void
}

export interface WindowOfOurs {
  readonly url: string
  focus(): Promise<unknown>
}

interface ExtendableWorkerEvent {
  waitUntil(work: Promise<unknown>): void
}

export interface WorkerEvents {
  install: ExtendableWorkerEvent
  activate: ExtendableWorkerEvent
  push: ExtendableWorkerEvent
  notificationclick: ExtendableWorkerEvent & { readonly notification: { close(): void } }
  fetch: { readonly request: Request; respondWith(answer: Promise<Response>): void }
}
