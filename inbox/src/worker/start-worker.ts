/**
 * The service worker. It keeps the shell of the app, so that it opens at once and says by itself that the server can't
 * be reached; and it shows that something waits when a push comes. It never touches what the server says: nothing but
 * the page itself and its files with a hash in their name is ever kept.
 *
 * It is told by the build what belongs to the shell. Nothing in here is shared with the page: a worker is one file.
 */
import type { WorkerScope } from './worker-scope.ts'

export interface Shell {
  /** Another one for every build. */
  build: string
  /** What the first page needs, relative to the worker. */
  files: readonly string[]
}

/** One notification for all that waits; the page's own has the same, so that the two never stand side by side. */
const TAG = 'banksman-waits'

export function startWorker(scope: WorkerScope, { build, files }: Shell): void {
  // The page may be served below a path of a proxy: everything is meant from where the worker is.
  const base = new URL('./', scope.location.href)
  const index = base.href
  const assets = new URL('assets/', base).pathname
  // Others may have the same origin, and caches belong to the origin.
  const prefix = `banksman ${base.pathname} `
  const name = `${prefix}${build}`

  async function keep(request: Request | string, response: Response): Promise<void> {
    if (!response.ok || response.redirected || response.type === 'opaque') return
    const cache = await scope.caches.open(name)
    await cache.put(request, response)
  }

  async function install(): Promise<void> {
    const cache = await scope.caches.open(name)
    await cache.addAll([index, ...files.map((file) => new URL(file, base).href)])
    await scope.skipWaiting()
  }

  async function activate(): Promise<void> {
    for (const other of await scope.caches.keys()) {
      if (other.startsWith(prefix) && other !== name) await scope.caches.delete(other)
    }
    await scope.clients.claim()
  }

  async function openPage(request: Request): Promise<Response> {
    try {
      const response = await scope.fetch(request)
      await keep(index, response.clone()).catch(() => {})
      return response
    } catch (error) {
      const kept = await (await scope.caches.open(name)).match(index)
      if (kept === undefined) throw error
      return kept
    }
  }

  async function openAsset(request: Request): Promise<Response> {
    const kept = await (await scope.caches.open(name)).match(request.url)
    if (kept !== undefined) return kept
    const response = await scope.fetch(request)
    await keep(request.url, response.clone()).catch(() => {})
    return response
  }

  async function showThatSomethingWaits(): Promise<void> {
    const language = scope.navigator.languages
      .map((tag) => tag.toLowerCase().split('-')[0])
      .find((base) => base === 'zh' || base === 'en')
    await scope.registration.showNotification('Banksman', {
      body: language === 'zh' ? '有请求待您处理。' : 'Something waits for your answer.',
      lang: language ?? 'en',
      tag: TAG,
      icon: new URL('icon-192.png', base).href,
    })
  }

  async function goToPage(): Promise<void> {
    const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const ours = windows.find(({ url }) => isPage(new URL(url)))
    if (ours === undefined) await scope.clients.openWindow(index)
    else await ours.focus()
  }

  function isPage({ origin, pathname }: URL): boolean {
    return origin === base.origin && (pathname === base.pathname || pathname === `${base.pathname}index.html`)
  }

  scope.addEventListener('install', (event) => event.waitUntil(install()))
  scope.addEventListener('activate', (event) => event.waitUntil(activate()))
  scope.addEventListener('push', (event) => event.waitUntil(showThatSomethingWaits()))
  scope.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(goToPage())
  })
  scope.addEventListener('fetch', (event) => {
    const { request } = event
    const url = new URL(request.url)
    if (request.method !== 'GET' || url.origin !== base.origin) return
    if (request.mode === 'navigate' && isPage(url)) event.respondWith(openPage(request))
    else if (url.search === '' && url.pathname.startsWith(assets)) event.respondWith(openAsset(request))
  })
}
