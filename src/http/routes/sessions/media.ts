/**
 * Pictures and files of conversations. What a tool gave may be anything, a page with scripts too: it goes out as something
 * that a browser shows only where it can't run, and to the owner of the session alone (P6).
 */

import { z } from 'zod'
import type { MediaItem } from '../../../core/conversation.ts'
import { type BanksmanError, isBanksmanError } from '../../../core/errors.ts'
import { reasonOf } from '../../../core/reasons/reason-of.ts'
import { reasonedError } from '../../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../../core/session.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import { type Route, route } from '../route.ts'

const TYPE = /^[a-z0-9][a-z0-9.+-]{0,62}\/[a-z0-9][a-z0-9.+-]{0,62}$/i
/** Formats without anything that runs. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

export interface MediaParts {
  /** Pictures and files of conversations. */
  media?: {
    get(session: string, id: string): Promise<{ item: MediaItem; data: Uint8Array } | undefined>
  }
}

export function mediaRoutes({ gateway, media }: MediaParts & { gateway: Gateway }): Route[] {
  return [
    route('GET /v1/media/{id}', {
      summary: 'A picture or a file that came up in a session. For its owner.',
      access: 'people',
      query: z.strictObject({ session: z.string().describe('The session in which it came up.') }),
      answers: [{ status: 200, description: 'The content.', mediaType: '*/*' }],
      async answer({ c, caller, query, step }) {
        const isTheirs = await owns(gateway, query.session, caller.actor)
        const found = isTheirs ? await media?.get(query.session, step('id')) : undefined
        if (found === undefined) throw unknown(step('id'))
        return c.body(new Uint8Array(found.data), 200, headersOf(found.item))
      },
    }),
  ]
}

async function owns(gateway: Gateway, session: string, actor: Actor): Promise<boolean> {
  try {
    return (await gateway.session(session, actor)).owner === actor.subject
  } catch (error) {
    if (isBanksmanError(error, 'unknown_id')) return false
    throw error
  }
}

function unknown(id: string): BanksmanError {
  return reasonedError('unknown_id', reasonOf('media.none', { id: id.slice(0, 100) }))
}

function headersOf({ type, name }: MediaItem): Record<string, string> {
  const known = TYPE.test(type) ? type.toLowerCase() : 'application/octet-stream'
  const how = SHOWN.has(known) ? 'inline' : 'attachment'
  return {
    'content-type': known,
    'content-disposition': name === undefined ? how : `${how}; filename*=UTF-8''${escapeName(name)}`,
    'content-security-policy': "default-src 'none'; sandbox",
  }
}

/** RFC 8187, which is narrower than what `encodeURIComponent` leaves. */
function escapeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
