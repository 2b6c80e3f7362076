/** SQLite's result codes in our words. */
import { BanksmanError, type ErrorCode, isBanksmanError } from '../../../core/errors.ts'

const GENERIC = 1
const BUSY = 5
const LOCKED = 6
const FULL = 13
/** SQLite's word for a full disk when it is the log's index that finds no room. */
const SHARED_MEMORY_CAN_NOT_GROW = 10 | (19 << 8)

export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === BUSY || code === LOCKED
}

/** `ROLLBACK` says this when SQLite has rolled back by itself. */
export function isNoTransaction(error: unknown): boolean {
  return resultCode(error) === GENERIC
}

/** Runs the work; whatever it throws comes out as one of ours. */
export function guarded<T>(doing: string, path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toStoreError(error, doing, path)
  }
}

export function toStoreError(error: unknown, doing: string, path: string): BanksmanError {
  if (isBanksmanError(error)) return error
  const [code, hint] = MEANING[resultCode(error) ?? -1] ?? [
    'store_unavailable',
    'the database could not be used',
  ]
  const cause = error instanceof Error ? error.message : String(error)
  return new BanksmanError(code, `${doing} failed: ${hint} (${path}: ${cause})`, {}, { cause: error })
}

function resultCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode
  if (typeof code !== 'number') return undefined
  // The low byte is the primary code; the rest says which kind of it.
  return code === SHARED_MEMORY_CAN_NOT_GROW ? FULL : code & 0xff
}

const MEANING: Record<number, [ErrorCode, string]> = {
  [BUSY]: ['store_locked', 'another process holds the write lock'],
  [LOCKED]: ['store_locked', 'another connection holds the lock'],
  8: ['store_unavailable', 'the file is read-only; check its owner and mode'],
  10: ['store_unavailable', 'the disk reported an error'],
  11: ['store_corrupt', 'the file is damaged; restore a backup'],
  [FULL]: ['store_full', 'the disk is full; free some space and it goes on by itself'],
  14: ['store_unavailable', 'the file can not be opened; check that the folder exists and may be written'],
  19: ['store_unavailable', 'an id is already taken'],
  26: ['store_corrupt', 'the file is not a SQLite database; name another file, or restore a backup'],
}
