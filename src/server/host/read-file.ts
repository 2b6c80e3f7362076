/**
 * The one reader of files that others may write or put there. It never waits for a pipe, reads no device, and takes no more
 * than its limit: only a regular file, by the descriptor that was opened.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { BanksmanError } from '../../core/errors.ts'
import { sayInEnglish } from '../../core/reasons/english.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'

/** Room for thousands of rules. What is longer was not written to be read by a person. */
export const MAX_FILE_BYTES = 512 * 1024
/** Files that programs fill by themselves, such as `~/.claude.json`, and records that quote from settings. */
export const MAX_GROWN_BYTES = 16 * 1024 * 1024

export type FoundFile =
  | { kind: 'file'; bytes: Buffer }
  /** `error` is the system's, where it has one. */
  | { kind: 'refused'; reason: Reason; error?: NodeJS.ErrnoException }

/** Undefined: there is no such file. */
export function findFile(path: string, limit = MAX_FILE_BYTES): FoundFile | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const found = fstatSync(descriptor)
    // A folder is opened, and reading it says what it is.
    if (!found.isFile() && !found.isDirectory()) return { kind: 'refused', reason: reasonOf('file.not-file') }
    const bytes = readUpTo(descriptor, limit + 1)
    if (bytes.length <= limit) return { kind: 'file', bytes }
    const size = Math.max(found.size, bytes.length)
    return { kind: 'refused', reason: reasonOf('file.long', { bytes: size, limit }) }
  } catch (thrown) {
    const error = thrown as NodeJS.ErrnoException
    if (isMissing(error)) return undefined
    // Node does not say which one it was when the name opens but can't be read.
    return { kind: 'refused', reason: reasonFor(error.code), error: Object.assign(error, { path }) }
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Undefined: there is no such file. Throws where there is something else in its place. */
export function readIfThere(path: string, limit?: number): string | undefined {
  const found = findFile(path, limit)
  if (found === undefined) return undefined
  if (found.kind === 'file') return found.bytes.toString('utf8')
  if (found.error !== undefined) throw found.error
  throw new BanksmanError('invalid', `${path} can't be read: ${sayInEnglish(found.reason)}`)
}

export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function reasonFor(code: string | undefined): Reason {
  if (code === 'EISDIR') return reasonOf('file.not-file')
  return code === undefined ? reasonOf('file.closed-unknown') : reasonOf('file.closed', { code })
}

const CHUNK = 64 * 1024

function readUpTo(descriptor: number, most: number): Buffer {
  const chunks: Buffer[] = []
  for (let total = 0; total < most; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, most - total))
    const read = readSync(descriptor, chunk, 0, chunk.length, null)
    if (read === 0) break
    chunks.push(chunk.subarray(0, read))
    total += read
  }
  return Buffer.concat(chunks)
}
