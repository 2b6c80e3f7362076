/** `read_file`: a text file, or a piece of one; a picture is put on the media shelf. */
import { constants as fs } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { z } from 'zod'
import { MAX_MEDIA_BYTES } from '../../../media/media-store.ts'
import { imageTypeOf } from '../../../media/media-types.ts'
import { defineTool, type Tool, type ToolContext, ToolError, type ToolOutcome } from '../../tool.ts'
import { PATH } from './path-argument.ts'
import { utf8Text } from './text-of-bytes.ts'
import { openWorkspace, type WorkspaceEntry, type WorkspaceOptions } from './workspace.ts'

/** About 60,000 tokens: more than a model can use at once. */
const MAX_BYTES = 256 * 1024
/** To come to a line far down, all before it has to be read. */
const MAX_SCANNED_BYTES = 64 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024

export function createReadFile(options: WorkspaceOptions = {}): Tool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads a text file in the workspace. `offset` is the first line (from 1) and `limit` how many; without them it starts at the top. ' +
      'At most 256 KiB are given at once; what was left out is said. A picture (PNG, JPEG, GIF, WebP) is given as a picture.',
    schema: z.strictObject({
      path: PATH,
      offset: z.int().min(1).max(10_000_000).optional().describe('The first line to read, from 1.'),
      limit: z.int().min(1).max(1_000_000).optional().describe('How many lines to read.'),
    }),
    annotations: { readOnlyHint: true },
    async run({ path, offset = 1, limit = Number.POSITIVE_INFINITY }, context) {
      const held = await (await openWorkspace(context.workspace, options)).file(path)
      try {
        const file = await held.reopen(fs.O_RDONLY | fs.O_NONBLOCK)
        try {
          const image = await readImage(file, held, path, context)
          if (image !== undefined) return image
          return { text: laidOut(path, offset, await readLines(file, path, offset, limit, context.signal)) }
        } finally {
          await file.close()
        }
      } catch (error) {
        if (error instanceof ToolError || context.signal.aborted) throw error
        throw new ToolError(`${path} could not be read: ${(error as Error).message}`, { cause: error })
      } finally {
        await held.close()
      }
    },
  })
}

async function readImage(
  file: FileHandle,
  held: WorkspaceEntry,
  path: string,
  { media, session }: ToolContext,
): Promise<ToolOutcome | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
  const type = imageTypeOf(buffer.subarray(0, bytesRead))
  if (type === undefined) return undefined
  const { size } = held.stats
  if (size > MAX_MEDIA_BYTES) {
    throw new ToolError(`${path} is a picture of ${size} bytes; the limit is ${MAX_MEDIA_BYTES}`)
  }
  const data = await readAtMost(file, MAX_MEDIA_BYTES)
  const item = await media.put(session, { type, data, name: held.real })
  return {
    text: `${path} is a picture (${type}, ${data.length} bytes); it is given beside this text.`,
    media: [item],
  }
}

/** A file can grow while it is read. */
async function readAtMost(file: FileHandle, limit: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  while (size < limit) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, size)
    if (bytesRead === 0) break
    chunks.push(buffer.subarray(0, bytesRead))
    size += bytesRead
  }
  return Buffer.concat(chunks).subarray(0, limit)
}

interface Lines {
  text: string
  count: number
  end: 'whole' | 'more' | 'inside-line'
}

async function readLines(
  file: FileHandle,
  path: string,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<Lines> {
  const kept: Buffer[] = []
  let keptBytes = 0
  let line = 1
  let count = 0
  let end: Lines['end'] = 'whole'
  let isInLine = false
  for (let position = 0; end === 'whole'; ) {
    signal.throwIfAborted()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position)
    if (bytesRead === 0) break
    const chunk = buffer.subarray(0, bytesRead)
    if (position === 0 && chunk.subarray(0, 8192).includes(0)) throw binary(path)
    let at = 0
    while (line < offset && at < bytesRead) {
      const next = chunk.indexOf(10, at)
      if (next === -1) at = bytesRead
      else {
        at = next + 1
        line++
      }
    }
    const start = at
    while (line >= offset && at < bytesRead) {
      if (count >= limit && !isInLine) {
        end = 'more'
        break
      }
      if (!isInLine) count++
      const next = chunk.indexOf(10, at)
      isInLine = next === -1
      at = next === -1 ? bytesRead : next + 1
      if (keptBytes + (at - start) >= MAX_BYTES) {
        at = Math.min(at, start + MAX_BYTES - keptBytes)
        isInLine = chunk[at - 1] !== 10
        end = isInLine ? 'inside-line' : 'more'
        break
      }
    }
    kept.push(chunk.subarray(start, at))
    keptBytes += at - start
    position += bytesRead
    if (line < offset && position > MAX_SCANNED_BYTES) {
      throw new ToolError(
        `line ${offset} of ${path} is more than ${MAX_SCANNED_BYTES} bytes down; use a command such as sed`,
      )
    }
  }
  if (count === 0 && offset > 1) throw new ToolError(`${path} has no line ${offset}: it has ${line - 1 || 1}`)
  const text = utf8Text(Buffer.concat(kept), { isCut: end === 'inside-line' })
  if (text === undefined) throw binary(path)
  // A line that does not fit any more is read whole with the next piece.
  if (end !== 'inside-line' || count === 1) return { text, count, end }
  return { text: text.slice(0, text.lastIndexOf('\n') + 1), count: count - 1, end: 'more' }
}

function laidOut(path: string, offset: number, { text, count, end }: Lines): string {
  if (count === 0) return `[${path} is empty]`
  if (offset === 1 && end === 'whole') return text
  const last = offset + count - 1
  const more =
    end === 'whole'
      ? 'the end of the file'
      : end === 'more'
        ? `more follows; go on with offset ${last + 1}`
        : `line ${last} is cut: it is too long to be read whole`
  return `[${path}, lines ${offset} to ${last}; ${more}]\n${text}`
}

function binary(path: string): ToolError {
  return new ToolError(`${path} is no UTF-8 text; use a command that can read it`)
}
