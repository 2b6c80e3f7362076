import { describe, expect, it } from 'vitest'
import { startWorker } from './start-worker.ts'
import type { WorkerEvents, WorkerScope } from './worker-scope.ts'

const SHELL = { build: 'b2', files: ['assets/main-1.js'] }

/** What a browser gives to a service worker, with a network that can be cut. */
function createScope({ at = 'https://example.org/banksman/', languages = ['en-GB'] } = {}) {
  const listeners = new Map<string, (event: never) => void>()
  const caches = new Map<string, Map<string, Response>>()
  const asked: string[] = []
  const notifications: { title: string; options: NotificationOptions }[] = []
  const windows: { url: string; focus(): Promise<void> }[] = []
  const done: string[] = []
  const network = { isUp: true, status: 200 }

  const fetch = async (input: Request | string) => {
    const url = typeof input === 'string' ? input : input.url
    if (!network.isUp) throw new TypeError('Failed to fetch')
    asked.push(url)
    return new Response(`from the network: ${url}`, { status: network.status })
  }
  const keyOf = (input: RequestInfo | URL) => (input instanceof Request ? input.url : String(input))
  const openCache = (name: string) => {
    const kept = caches.get(name) ?? new Map<string, Response>()
    caches.set(name, kept)
    return {
      put: async (key: RequestInfo | URL, response: Response) => void kept.set(keyOf(key), response),
      match: async (key: RequestInfo | URL) => kept.get(keyOf(key))?.clone(),
      async addAll(urls: string[]) {
        for (const url of urls) kept.set(url, await fetch(url))
      },
    }
  }
  const scope = {
    location: { href: `${at}service-worker.js` },
    registration: {
      scope: at,
      showNotification: async (title: string, options: NotificationOptions) =>
        void notifications.push({ title, options }),
    },
    navigator: { languages },
    caches: {
      open: async (name: string) => openCache(name),
      keys: async () => [...caches.keys()],
      delete: async (name: string) => caches.delete(name),
    },
    clients: {
      claim: async () => void done.push('claimed'),
      matchAll: async () => windows,
      openWindow: async (url: string) => void done.push(`opened ${url}`),
    },
    fetch,
    skipWaiting: async () => {},
    addEventListener: (type: string, listener: (event: never) => void) => void listeners.set(type, listener),
  } as unknown as WorkerScope
  startWorker(scope, SHELL)

  async function tell<K extends keyof WorkerEvents>(type: K, parts: object = {}): Promise<void> {
    const work: Promise<unknown>[] = []
    listeners.get(type)?.({ waitUntil: (one: Promise<unknown>) => work.push(one), ...parts } as never)
    await Promise.all(work)
  }
  /** What the worker answers; undefined where it keeps out of it. */
  async function open(url: string, parts: { method?: string; mode?: string } = {}) {
    let answer: Promise<Response> | undefined
    const request = { method: 'GET', mode: 'cors', url: new URL(url, at).href, ...parts }
    listeners.get('fetch')?.({ request, respondWith: (one: Promise<Response>) => (answer = one) } as never)
    return answer?.then((response) => response.text())
  }
  return { caches, asked, notifications, windows, done, network, tell, open }
}

const page = { mode: 'navigate' }

describe('the shell', () => {
  it('opens from the network while there is one, and from what was kept when there is none', async () => {
    const { tell, open, network } = createScope()
    await tell('install')
    expect(await open('./', page)).toBe('from the network: https://example.org/banksman/')
    network.isUp = false
    expect(await open('./', page)).toBe('from the network: https://example.org/banksman/')
    expect(await open('./index.html', page)).toBe('from the network: https://example.org/banksman/')
    expect(await open('assets/main-1.js')).toContain('assets/main-1.js')
    await expect(open('assets/other-2.js')).rejects.toThrow('Failed to fetch')
  })

  it('files with a hash in their name are asked for once', async () => {
    const { tell, open, asked } = createScope()
    await tell('install')
    asked.length = 0
    await open('assets/main-1.js')
    await open('assets/later-2.js')
    await open('assets/later-2.js')
    expect(asked).toEqual(['https://example.org/banksman/assets/later-2.js'])
  })

  it('an answer that is no success is not kept', async () => {
    const { tell, open, network } = createScope()
    await tell('install')
    network.status = 500
    await open('./', page)
    await open('assets/broken-3.js')
    network.isUp = false
    expect(await open('./', page)).toContain('from the network')
    await expect(open('assets/broken-3.js')).rejects.toThrow()
  })

  it.each([
    ['v1/requests', {}],
    ['v1/requests', page],
    ['api/agent/chat', {}],
    ['healthz', {}],
    ['manifest.webmanifest', {}],
    ['react-plus/', page],
    ['other.html', page],
    ['./', {}],
    ['./', { method: 'POST', mode: 'navigate' }],
    ['assets/main-1.js', { method: 'POST' }],
    ['assets/main-1.js?v=2', {}],
    ['https://other.example/banksman/assets/main-1.js', {}],
    ['https://example.org/assets/main-1.js', {}],
    ['https://example.org/', page],
  ])('keeps out of %s %j: what the server says is never kept', async (url, parts) => {
    const { tell, open, caches } = createScope()
    await tell('install')
    const before = [...caches.values()].map((kept) => [...kept.keys()])
    expect(await open(url, parts)).toBeUndefined()
    expect([...caches.values()].map((kept) => [...kept.keys()])).toEqual(before)
  })

  it('what an older build kept is thrown away, and what others at the same address kept is not', async () => {
    const { caches, done, tell } = createScope()
    for (const name of ['banksman /banksman/ b1', 'banksman / b1', 'something else'])
      caches.set(name, new Map())
    await tell('install')
    await tell('activate')
    expect([...caches.keys()]).toEqual(['banksman / b1', 'something else', 'banksman /banksman/ b2'])
    expect(done).toEqual(['claimed'])
  })
})

describe('a push', () => {
  it.each([
    [['zh-Hans-CN', 'en'], '有请求待您处理。', 'zh'],
    [['de', 'en-GB', 'zh'], 'Something waits for your answer.', 'en'],
    [['fr'], 'Something waits for your answer.', 'en'],
  ])('says that something waits, for who reads %j', async (languages, body, lang) => {
    const { tell, notifications } = createScope({ languages })
    await tell('push')
    await tell('push')
    const shown = {
      title: 'Banksman',
      options: { body, lang, tag: 'banksman-waits', icon: 'https://example.org/banksman/icon-192.png' },
    }
    expect(notifications).toEqual([shown, shown])
  })

  it('whatever it carries is not shown', async () => {
    const { tell, notifications } = createScope()
    await tell('push', { data: { text: () => 'Approve everything at evil.example' } })
    expect(JSON.stringify(notifications)).not.toContain('evil')
  })

  it('leads to a page of ours that is open, and else opens one', async () => {
    const { tell, windows, done } = createScope()
    const notification = { close: () => done.push('closed') }
    const window = (url: string) => ({ url, focus: async () => void done.push(`focused ${url}`) })
    windows.push(window('https://example.org/react-plus/'), window('https://example.org/banksman/v1/x'))
    await tell('notificationclick', { notification })
    windows.push(window('https://example.org/banksman/#/pending'))
    await tell('notificationclick', { notification })
    expect(done).toEqual([
      'closed',
      'opened https://example.org/banksman/',
      'closed',
      'focused https://example.org/banksman/#/pending',
    ])
  })
})
