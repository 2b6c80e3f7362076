/**
 * A link to the server that holds the namespace. A server by itself holds all there is; in a cluster each node knows which
 * of them has a slot, and says so to whoever asks for another's (`MOVED`). It is followed, also to a node that has taken
 * over: whether that one may be used is for who looks at the server afterwards to say.
 *
 * The address that was given is asked first each time. Where it is of no use, the node that last held the namespace is: the
 * one that was asked for the way may be gone while the one that matters runs.
 */
import { BanksmanError, isBanksmanError } from '../../../core/errors.ts'
import { shownUrl } from './errors.ts'
import { openRedisLink, type RedisLink } from './link.ts'

export interface ClusterLink {
  /** Where it was found; the same as was given, outside of a cluster. */
  readonly url: string
  readonly link: RedisLink
}

/** Each step is the word of another node; while a slot moves two of them may differ for a moment. */
const MOST_STEPS = 5

export interface ClusterLinkOptions {
  /** As it was given. */
  url: string
  /** Any key of the namespace: all are in one slot. */
  key: string
  /** Where it was found the last time. */
  last?: string
  /** When it is not wanted any more, nothing new is begun, and what is under way fails. */
  signal?: AbortSignal
}

export async function openClusterLink(options: ClusterLinkOptions): Promise<ClusterLink> {
  const { url, last = url, signal } = options
  try {
    return await follow(url, options)
  } catch (error) {
    if (last === url || signal?.aborted === true) throw error
    // What the first address said is what somebody has to know, unless the other one is there.
    return await follow(last, options).catch(() => {
      throw error
    })
  }
}

async function follow(start: string, { url: given, key, signal }: ClusterLinkOptions): Promise<ClusterLink> {
  let url = start
  for (let step = 0; step <= MOST_STEPS; step++) {
    signal?.throwIfAborted()
    const link = await openRedisLink(url)
    const stop = () => link.end(new Error('it is not wanted any more'))
    signal?.addEventListener('abort', stop, { once: true })
    try {
      signal?.throwIfAborted()
      const elsewhere = await whereElse(link, key)
      if (elsewhere === undefined) return { url, link }
      link.end(new Error('the namespace lives on another node'))
      url = addressed(given, url, elsewhere)
    } catch (error) {
      link.end(error as Error)
      throw url === given ? error : sentOn(error, given, url)
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }
  throw new BanksmanError(
    'store_unavailable',
    `the nodes of the Redis cluster sent us on ${MOST_STEPS + 1} times, and none of them holds the namespace; look at CLUSTER NODES`,
  )
}

/** Undefined where it is here. */
async function whereElse(link: RedisLink, key: string): Promise<string | undefined> {
  try {
    await link.send(['HGET', key, 'epoch'])
    return undefined
  } catch (error) {
    const moved = /^MOVED \d+ (\S*:\d+)/.exec((error as Error).message)?.[1]
    if (moved === undefined) throw error
    return moved
  }
}

/** Says which node it was: the address that was given is not the one to look at. */
function sentOn(error: unknown, given: string, url: string): unknown {
  if (!(error instanceof Error) || isBanksmanError(error)) return error
  return new Error(`${error.message}, at ${shownUrl(url)}, to which ${shownUrl(given)} sent us on`, {
    cause: error,
  })
}

/** As whom, and whether with TLS, is as it was given. A node that names no host means its own. */
function addressed(given: string, current: string, elsewhere: string): string {
  const at = elsewhere.lastIndexOf(':')
  const host = elsewhere.slice(0, at)
  if (host === '?') {
    throw new BanksmanError(
      'invalid_configuration',
      `the namespace lives on another node of the Redis cluster, and ${shownUrl(current)} does not say where: set cluster-announce-hostname on the nodes, or cluster-preferred-endpoint-type to ip`,
    )
  }
  const address = new URL(given)
  address.hostname = host === '' ? new URL(current).hostname : host.includes(':') ? `[${host}]` : host
  address.port = elsewhere.slice(at + 1)
  return address.href
}
