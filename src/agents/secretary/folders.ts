/**
 * The folders that coding sessions may work in. A folder is compared by its real path each time: a link that was pointed elsewhere
 * after the session was started is found.
 */

import { realpathSync, statSync } from 'node:fs'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'
import type { BanksmanError } from '../../core/errors.ts'
import type { Reason, ReasonValue } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'

export interface AllowedFolder {
  path: string
  /** Whether the settings that the folder has for a coding agent count. They may run programs that nobody is asked about. */
  settings?: 'project'
}

export interface SessionPlace {
  /** The real path. */
  folder: string
  settings?: 'project'
}

export interface SessionFolders {
  /** Where a session is to be started: a path, or the last part of the name of one of the folders. */
  find(wanted: string): SessionPlace
  /** Where a session works that was started there. Throws where that is no longer allowed. */
  check(folder: string): SessionPlace
  /** Those of the allowed ones that are there, and are not Banksman's own. */
  list(): string[]
}

export interface SessionFoldersOptions {
  /** Absolute paths. */
  allowed: () => readonly AllowedFolder[]
  /** Banksman's own folders: no session works in them, or above them. */
  own: readonly string[]
  home: string
}

const MAX_PATH = 4096

export function createSessionFolders({ allowed, own, home }: SessionFoldersOptions): SessionFolders {
  /** The real path of a folder that is there. */
  function place(path: string, asked: string): SessionPlace {
    const folder = realFolder(path)
    if (folder === undefined) throw refuse(reasonOf('folder.none', { folder: asked, folders: names() }))
    // The nearest one says what counts there.
    const near = allowed()
      .map((each) => ({ ...each, real: realFolder(each.path) }))
      .filter(({ real }) => real !== undefined && isIn(folder, real))
      .toSorted((one, other) => other.real!.length - one.real!.length)[0]
    if (near === undefined) throw refuse(reasonOf('folder.elsewhere', { folder, folders: names() }))
    const ours = own.map((each) => realFolder(each) ?? each)
    const inside = ours.find((each) => isIn(folder, each))
    if (inside !== undefined) throw refuse(reasonOf('folder.own', { folder, folders: names() }))
    const below = ours.find((each) => isIn(each, folder))
    if (below !== undefined) throw refuse(reasonOf('folder.has-own', { folder, own: below }))
    return { folder, ...(near.settings === undefined ? {} : { settings: near.settings }) }
  }

  /** In which, or below which, a session can work now. */
  function usable(): string[] {
    const paths = allowed().map(({ path }) => path)
    return paths.filter((path) => {
      const real = realFolder(path)
      return real !== undefined && !own.some((each) => isIn(real, realFolder(each) ?? each))
    })
  }

  function names(): ReasonValue {
    const folders = usable()
    return folders.length === 0 ? reasonOf('folders.none') : folders
  }

  return {
    find(wanted) {
      if (typeof wanted !== 'string' || wanted.trim() === '' || wanted.length > MAX_PATH)
        throw refuse(reasonOf('folder.unnamed', { folders: names() }))
      if (/[\0\n\r]/.test(wanted)) throw refuse(reasonOf('folder.name'))
      if (wanted === '~' || wanted.startsWith('~/')) return place(`${home}${wanted.slice(1)}`, wanted)
      if (isAbsolute(wanted)) return place(wanted, wanted)
      const named = allowed().filter(({ path }) => basename(path) === wanted)
      if (named.length > 1)
        throw refuse(
          reasonOf('folder.several', {
            count: named.length,
            folder: wanted,
            folders: named.map(({ path }) => path),
          }),
        )
      const [first] = allowed()
      return place(named[0]?.path ?? resolve(first?.path ?? home, wanted), wanted)
    },
    check: (folder) => {
      const found = place(folder, folder)
      if (found.folder === folder) return found
      throw refuse(reasonOf('folder.moved', { folder, found: found.folder }))
    },
    list: usable,
  }
}

function realFolder(path: string): string | undefined {
  try {
    // The native one also writes a name as the disk does, where that takes large and small letters for the same.
    const real = realpathSync.native(path)
    return statSync(real).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}

/** Whether it is the folder, or below it. */
function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

function refuse(reason: Reason): BanksmanError {
  return reasonedError('invalid', reason)
}
