/** What a model gets of an http answer: its status, a few headers, and text or a picture of bounded size. */
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { makeVisible } from '../../../../display/text/visible.ts'
import { imageTypeOf } from '../../../media/media-types.ts'
import { type ToolContext, ToolError, type ToolOutcome } from '../../tool.ts'
import type { HttpResponse } from './request-once.ts'

export const MAX_FETCH_BYTES = 2 * 1024 * 1024

export interface ReadResponseOptions {
  url: URL
  method: 'GET' | 'HEAD'
  maxBytes: number
  context: ToolContext
}

export async function readResponse(answer: HttpResponse, options: ReadResponseOptions): Promise<ToolOutcome> {
  const { url, method, maxBytes, context } = options
  const type = (answer.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  const head = headOf(answer, url)
  const failed = answer.status >= 400 ? { isError: true } : {}
  if (method === 'HEAD' || answer.status === 204 || answer.status === 304) return { text: head, ...failed }
  // Read only where it can be of use.
  if (!isText(type) && !isUnclear(type) && !/^image\//.test(type)) throw notText(url, type)
  const { bytes, isCut } = await readBody(answer, maxBytes)
  const image = imageTypeOf(bytes)
  if (image !== undefined) {
    if (isCut)
      throw new ToolError(`${url.host} sends a picture of more than ${maxBytes} bytes; the limit is maxBytes`)
    const item = await context.media.put(context.session, { type: image, data: bytes, name: nameIn(url) })
    return {
      text: `${head}\n\n[a picture (${image}, ${bytes.length} bytes), given beside this text]`,
      media: [item],
      ...failed,
    }
  }
  if (bytes.includes(0) || (!isText(type) && !isUnclear(type))) throw notText(url, type)
  const text = decoded(bytes, isCut, answer.headers['content-type'] ?? '', url)
  const mark = isCut ? `\n[cut after ${maxBytes} bytes; maxBytes is at most ${MAX_FETCH_BYTES}]` : ''
  return { text: `${head}\n\n${text}${mark}`, ...failed }
}

function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|javascript|ecmascript)$|^application\/(?:x-)?(?:ndjson|jsonlines|toml|sql|x-sh|graphql|x-www-form-urlencoded|x-javascript|x-yaml)$/.test(
    type,
  )
}

function isUnclear(type: string): boolean {
  return type === '' || type === 'application/octet-stream' || type === 'binary/octet-stream'
}

const SHOWN_HEADERS = ['content-type', 'content-length', 'last-modified', 'etag', 'retry-after'] as const

function headOf({ status, statusText, headers }: HttpResponse, url: URL): string {
  const lines = SHOWN_HEADERS.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [`${name}: ${value.slice(0, 300)}`] : []
  })
  return [`HTTP ${status} ${statusText.slice(0, 100)}`.trim(), `url: ${url.href}`, ...lines]
    .map((line) => makeVisible(line).text)
    .join('\n')
}

async function readBody(answer: HttpResponse, limit: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of unpacked(answer, limit) as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > limit) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), isCut: size > limit }
}

/** We have asked for none of it, and some servers pack all the same. */
function unpacked({ headers, body }: HttpResponse, limit: number): Readable {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return body
  const unpacker =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : undefined
  if (unpacker === undefined)
    throw new ToolError(
      `the answer is packed as ${makeVisible(encoding.slice(0, 50)).text}, which is not read`,
    )
  let packed = 0
  body.on('data', (chunk: Buffer) => {
    packed += chunk.length
    // Packing that unpacks to nothing would otherwise be read for as long as there is time.
    if (packed > limit + 64 * 1024) unpacker.destroy(new ToolError('the packed answer is too large'))
  })
  return pipeline(body, unpacker, () => {})
}

function decoded(bytes: Buffer, isCut: boolean, contentType: string, url: URL): string {
  const [, quoted, bare] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(contentType) ?? []
  const label = quoted ?? bare ?? 'utf-8'
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(label)
  } catch {
    throw new ToolError(
      `${url.host} sends text in ${makeVisible(label.slice(0, 50)).text}, which is not known`,
    )
  }
  // As if more were to come: half of a character at a cut is left away.
  return decoder.decode(bytes, { stream: isCut })
}

function nameIn(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

function notText(url: URL, type: string): ToolError {
  const kind = type === '' ? 'something' : makeVisible(type.slice(0, 100)).text
  return new ToolError(`${url.host} sends ${kind} that is neither text nor a picture; it was not read`)
}
