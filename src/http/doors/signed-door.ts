/**
 * A door for another service's server. Nothing is known of the sender but the signature, so the order is the point: a place of
 * the door's own, the bytes up to its limit and within a time, the signature over exactly these bytes, and only then decoding
 * and parsing. Whatever goes wrong before the signature is found good, the channel hears nothing of it.
 */
import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { parseStrictJson } from '../../core/json/strict-json.ts'
import type { SignedAnswer, SignedDoor } from '../../people/door.ts'
import type { HttpContext } from '../connection/http-context.ts'
import type { LiveConnectionParts } from '../connection/live-connection.ts'
import { checkJsonType, checkMediaType, decodeUtf8, readBytes } from '../from-wire/read-body.ts'
import type { Route } from '../routes/route.ts'
import { DOOR_ANSWERS, doorPlace, doorRequestOf, sendAnswer } from './answer-door.ts'

/** A service's server sends at once. Whoever takes longer keeps a place from it. */
const READ_WITHIN_MS = 10_000
const FORM = 'application/x-www-form-urlencoded'

export function signedDoorRoute(door: SignedDoor, live: LiveConnectionParts): Route {
  const { path, summary } = door
  return {
    method: 'POST',
    path,
    summary,
    access: 'public',
    answers: DOOR_ANSWERS,
    async run(c) {
      checkNoBrowser(c)
      if (door.body === 'json') checkJsonType(c)
      else checkMediaType(c, FORM)
      const place = doorPlace(live, door)
      return sendAnswer(live, c, { onEnd: place.leave }, (signal) => receive(door, live, c, signal))
    },
  }
}

async function receive(
  door: SignedDoor,
  live: LiveConnectionParts,
  c: HttpContext,
  signal: AbortSignal,
): Promise<SignedAnswer> {
  const bytes = await within(live, readBytes(c, door.maxBodyBytes))
  if (!isVerified(door, live, c, bytes)) {
    throw new BanksmanError('unauthenticated', 'the signature is missing, wrong or too old')
  }
  const request = { ...doorRequestOf(c, signal), bytes }
  const text = decodeUtf8(bytes)
  return door.body === 'json'
    ? door.answer({ ...request, body: readJson(text) })
    : door.answer({ ...request, body: readForm(text) })
}

/** Servers don't send these headers; browsers send at least one of them with every POST. */
function checkNoBrowser(c: HttpContext): void {
  if (c.req.header('origin') === undefined && c.req.header('sec-fetch-site') === undefined) return
  throw new BanksmanError('foreign_origin', 'this address is for another service’s server, not for pages')
}

/** Fails closed: an exception is a no, and so is a promise, which an `async` function would give. */
function isVerified(door: SignedDoor, live: LiveConnectionParts, c: HttpContext, bytes: Uint8Array): boolean {
  try {
    const verified: unknown = door.verify({
      bytes,
      header: (name) => c.req.header(name),
      query: (name) => c.req.query(name),
      now: live.clock.now(),
    })
    return verified === true
  } catch (error) {
    live.report?.({ doing: `verifying what was sent to ${door.path}`, error })
    return false
  }
}

async function within<T>({ clock }: LiveConnectionParts, reading: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = clock.after(READ_WITHIN_MS, () =>
    late.reject(new BanksmanError('invalid', 'the body did not come in time')),
  )
  try {
    return await Promise.race([reading, late.promise])
  } finally {
    timer.cancel()
    reading.catch(() => {})
  }
}

function readJson(text: string): JsonValue {
  if (text === '') throw new BanksmanError('invalid_json', 'the body is empty')
  return parseStrictJson(text)
}

/** A name that stands twice could be read as either. */
function readForm(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) throw new BanksmanError('invalid', 'the form has a name twice')
    fields.set(name, value)
  }
  return fields
}
