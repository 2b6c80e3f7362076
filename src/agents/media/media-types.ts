/** The kinds of media that are kept as what they are. Everything else is bytes to us. */

const OCTETS = 'application/octet-stream'

/** None of them is run by a browser that is shown it. */
const KNOWN_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'audio/mpeg',
  'audio/wav',
  'audio/ogg',
  'audio/webm',
  'video/mp4',
  'video/webm',
  'text/plain',
  'text/csv',
  'application/json',
  'application/pdf',
])

/** Without parameters and in lower case; what is not known is `application/octet-stream`. */
export function mediaTypeOf(given: string): string {
  const type = given.split(';', 1)[0]!.trim().toLowerCase()
  return KNOWN_TYPES.has(type) ? type : OCTETS
}

/** The kind of picture that the first bytes begin; undefined where it is none that models take. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp'
  return undefined
}
