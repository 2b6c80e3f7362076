/**
 * Pictures and files on the wire are texts: `media://<id>` for what is on the shelf, a `data:` URL for what is to be put
 * there. Nothing else is taken: a path or a web address would have us fetch what nobody has approved.
 */
import { wrong } from './fields.ts'

export type WireMedia =
  | { kind: 'reference'; id: string }
  | { kind: 'data'; type: string; data: Uint8Array; name?: string }

const REFERENCE = 'media://'

export function referenceTo(id: string): string {
  return REFERENCE + id
}

export function dataUrl({ type, data, name }: { type: string; data: Uint8Array; name?: string }): string {
  const named = name === undefined ? '' : `;name=${encodeURIComponent(name)}`
  return `data:${type}${named};base64,${Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')}`
}

export function readMedia(value: unknown, at: string): WireMedia {
  if (typeof value === 'string') {
    if (value.startsWith(REFERENCE) && value.length > REFERENCE.length) {
      return { kind: 'reference', id: value.slice(REFERENCE.length) }
    }
    if (value.startsWith('data:')) return readDataUrl(value, at)
  }
  return wrong(at, 'media://<id> of something on the shelf, or a data: URL', value)
}

function readDataUrl(url: string, at: string): WireMedia {
  const comma = url.indexOf(',')
  const [type = '', ...parameters] = url.slice('data:'.length, Math.max(comma, 0)).split(';')
  if (comma < 0 || !/^[\w.+-]+\/[\w.+-]+$/.test(type)) {
    wrong(at, 'a data: URL with its type, such as data:image/png;base64,…', url)
  }
  const name = parameters.find((parameter) => parameter.startsWith('name='))?.slice('name='.length)
  const text = url.slice(comma + 1)
  const data = parameters.includes('base64') ? fromBase64(text) : fromPercent(text)
  if (data === undefined) wrong(at, 'a data: URL whose data can be read', url)
  return {
    kind: 'data',
    type,
    data,
    ...(name === undefined ? {} : { name: fromPercent(name)?.toString() ?? name }),
  }
}

/** `Buffer.from` would pass over what is not base64, and put something else on the shelf than was sent. */
function fromBase64(text: string): Buffer | undefined {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 !== 1
    ? Buffer.from(text, 'base64')
    : undefined
}

function fromPercent(text: string): Buffer | undefined {
  try {
    return Buffer.from(decodeURIComponent(text))
  } catch {
    return undefined
  }
}
