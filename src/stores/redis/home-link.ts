/**
 * A link to the server that holds the namespace. A server by itself holds all there is; in a cluster each node knows which
 * of them has a slot, and says so to whoever asks for another's (`MOVED`). It is followed, also to a node that has taken
 * over: whether that one may be used is for who looks at the server afterwards to say.
 *
 * The address that was given is asked first each time. Only where nobody is there, the node that last held the namespace
 * is: the one that was asked for the way may be gone while the one that matters runs.
 */
import { BanksmanError } from '../../core/errors.ts'
import { type Link, openLink } from './link.ts'

export interface Home {
  /** Where it was found; the same as was given, outside of a cluster. */
  readonly url: string
  readonly link: Link
}

/** Each step is the word of another node; while a slot moves two of them may differ for a moment. */
const MOST_STEPS = 5

/** @param key Any key of the namespace: all are in one slot. @param last Where it was found the last time. */
export async function openHomeLink(url: string, key: string, last = url): Promise<Home> {
  try {
    return await follow(url, url, key)
  } catch (error) {
    if (last === url) throw error
    // What the first address said is what somebody has to know, unless the other one is there.
    return await follow(url, last, key).catch(() => {
      throw error
    })
  }
}

async function follow(given: string, start: string, key: string): Promise<Home> {
  let url = start
  for (let step = 0; step <= MOST_STEPS; step++) {
    const link = await openLink(url)
    const elsewhere = await whereElse(link, key).catch((error) => {
      link.end(error)
      throw error
    })
    if (elsewhere === undefined) return { url, link }
    link.end(new Error('the namespace lives on another node'))
    url = addressed(given, url, elsewhere)
  }
  throw new BanksmanError(
    'store_unavailable',
    `the nodes of the Redis cluster sent us on ${MOST_STEPS + 1} times, and none of them holds the namespace; look at CLUSTER NODES`,
  )
}

/** Undefined where it is here. */
async function whereElse(link: Link, key: string): Promise<string | undefined> {
  try {
    await link.send(['HGET', key, 'epoch'])
    return undefined
  } catch (error) {
    const moved = /^MOVED \d+ (\S*:\d+)/.exec((error as Error).message)?.[1]
    if (moved === undefined) throw error
    return moved
  }
}

/** As whom, and whether with TLS, is as it was given. A node that names no host means its own. */
function addressed(given: string, current: string, elsewhere: string): string {
  const at = elsewhere.lastIndexOf(':')
  const host = elsewhere.slice(0, at)
  const address = new URL(given)
  address.hostname = host === '' ? new URL(current).hostname : host.includes(':') ? `[${host}]` : host
  address.port = elsewhere.slice(at + 1)
  return address.href
}
