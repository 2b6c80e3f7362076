/**
 * A link that is made anew whenever it has ended. Nothing waits for it meanwhile: without a link every use fails at once,
 * and the caller reads again when it can (P5).
 */
import { BanksmanError, isBanksmanError } from '../../../core/errors.ts'
import { openClusterLink } from './cluster-link.ts'
import { type Redact, shortReason, toStoreError } from './errors.ts'
import type { RedisLink } from './link.ts'

export interface ReconnectingLink {
  /** Throws `store_unavailable` while there is none. */
  link(): RedisLink
  /** Where the namespace was last found. */
  home(): string
  /** Ends the link, so that it is made anew where the namespace is now. */
  lookAgain(): void
  close(): void
}

export interface ReconnectingLinkOptions {
  url: string
  /** Any key of the namespace. */
  key: string
  redact: Redact
  /** Named where the first link can't be made. */
  opening: string
  /** Named in reports, from then on. */
  keeping: string
  /** Looks at the server before anything else may use the link. `at`: its address. */
  prepare(link: RedisLink, at: string): Promise<void>
  /** It is there again. */
  reopened(): void
  report(fault: { doing: string; error: unknown }): void
}

/** The first try comes at once: a connection that an operator closed is back before anyone notices. */
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 2000

/** Throws when the first link can't be made. */
export async function openReconnectingLink(options: ReconnectingLinkOptions): Promise<ReconnectingLink> {
  const { url, key, redact, opening, keeping, prepare, reopened, report } = options
  let current: RedisLink | undefined
  let home = url
  let reason = ''
  const closing = new AbortController()
  const { signal } = closing
  let timer: NodeJS.Timeout | undefined

  async function open(): Promise<void> {
    let link: RedisLink | undefined
    try {
      const found = await openClusterLink({ url, key, last: home, signal })
      link = found.link
      signal.throwIfAborted()
      await prepare(link, found.url)
      home = found.url
    } catch (error) {
      link?.end(new Error('the server was refused'))
      throw error
    }
    if (signal.aborted) link.end(new Error('the store is closed'))
    else current = link
    void link.ended.then(lose)
  }

  function lose(error: Error): void {
    current = undefined
    if (signal.aborted) return
    note(error)
    void tryAgain(FIRST_PAUSE_MS)
  }

  function note(error: unknown): void {
    const why = shortReason(error, redact)
    if (why === reason) return
    reason = why
    // What the server is refused for is told whole here, and only here: whoever uses the store meanwhile hears its beginning.
    report({ doing: keeping, error: isBanksmanError(error) ? error : noLink() })
  }

  function noLink(): BanksmanError {
    return new BanksmanError(
      'store_unavailable',
      `there is no connection to Redis; it is tried again by itself (${reason || 'it was lost'})`,
    )
  }

  function tryAgain(pauseMs: number): void {
    timer = setTimeout(() => {
      if (signal.aborted) return
      open().then(
        () => {
          reason = ''
          if (!signal.aborted) reopened()
        },
        (error: unknown) => {
          if (signal.aborted) return
          note(error)
          tryAgain(Math.min(LONGEST_PAUSE_MS, pauseMs * 2))
        },
      )
    }, pauseMs)
  }

  await open().catch((error) => {
    throw toStoreError(error, opening, redact, 'opening')
  })
  return {
    link() {
      if (current?.isOpen() === true) return current
      throw noLink()
    },
    home: () => home,
    lookAgain: () => current?.end(new Error('the namespace lives on another node')),
    close() {
      closing.abort()
      clearTimeout(timer)
      current?.end(new Error('the store is closed'))
    },
  }
}
