/** Changes of files as they are shown, made and taken back. */
import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SetupFile } from '../../coding-agents/setup/agent-setup.ts'
import { digestOf } from '../../core/digest.ts'
import { BanksmanError } from '../../core/errors.ts'
import { MAX_GROWN_BYTES, readIfThere } from '../host/read-file.ts'
import { replaceFile } from '../host/replace-file.ts'
import type { ConnectionRecord } from './connection-record.ts'
import { isSamePath } from './recorded-place.ts'

export interface PlannedFile {
  path: string
  /** What it says now. Undefined, here and below: there is no file. */
  now: string | undefined
  /** What it said before us. */
  before: string | undefined
  after: string | undefined
}

/** With ours in it. Where ours is there from before it is replaced. */
export function planAdding(file: SetupFile, earlier?: ConnectionRecord): PlannedFile {
  const { before } = planRemoving(file, earlier)
  return {
    ...at(file, () => ({ now: readIfThere(file.path, MAX_GROWN_BYTES), after: file.add(before) })),
    before,
  }
}

/** Without ours. Where nobody else has written since, it is what was there before, to the byte. */
export function planRemoving(
  file: SetupFile,
  record?: ConnectionRecord,
): PlannedFile & { isTouched: boolean } {
  return at(file, () => {
    const now = readIfThere(file.path, MAX_GROWN_BYTES)
    const known = record?.files.find(({ path }) => isSamePath(path, file.path))
    const original = known === undefined ? now : (known.before ?? undefined)
    const isUntouched = known !== undefined && now !== undefined && digestOf(now) === known.after
    const before = isUntouched ? original : now === undefined ? undefined : file.remove(now, original)
    return { now, before, after: before, isTouched: !isUntouched && now !== undefined }
  })
}

/** The mistake of a file has its name. */
function at<T>({ path }: SetupFile, plan: () => T): T & { path: string } {
  try {
    return { path, ...plan() }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BanksmanError(
      'invalid',
      `${path} can't be changed: ${why}. Nothing was written`,
      {},
      { cause: error },
    )
  }
}

/** A file that others have changed since it was planned is left alone. */
export function writePlanned({ path, now, after }: PlannedFile): void {
  if (readIfThere(path, MAX_GROWN_BYTES) !== now)
    throw new BanksmanError('facts_changed', `${path} has changed meanwhile; run this again`)
  if (after === now) return
  if (after === undefined) rmSync(path)
  else replaceFile(path, after, 0o600)
}

/** Folders that have to be made for these files, the innermost first. */
export function missingFolders(files: readonly { path: string }[]): string[] {
  const missing = new Set<string>()
  for (const { path } of files)
    for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) missing.add(folder)
  return [...missing].sort((one, other) => other.length - one.length)
}

/** Whatever is in them stays. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder)
    } catch {
      // Somebody has put something into it, or it is gone.
    }
  }
}

/** As it was, whatever it is now. */
export function takeBack({ path, now }: PlannedFile): void {
  if (readIfThere(path, MAX_GROWN_BYTES) === now) return
  if (now === undefined) rmSync(path, { force: true })
  else replaceFile(path, now, 0o600)
}
