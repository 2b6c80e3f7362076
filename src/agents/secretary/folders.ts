/**
 * The folders that coding sessions may work in. A folder is compared by its real path each time: a link that was pointed elsewhere
 * after the session was started is found.
 */
import { realpathSync, statSync } from 'node:fs'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'
import { BanksmanError } from '../../core/errors.ts'

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
    if (folder === undefined)
      throw refuse(`there is no folder ${JSON.stringify(asked)}; sessions can work in ${names()}`)
    // The nearest one says what counts there.
    const near = allowed()
      .map((each) => ({ ...each, real: realFolder(each.path) }))
      .filter(({ real }) => real !== undefined && isIn(folder, real))
      .toSorted((one, other) => other.real!.length - one.real!.length)[0]
    if (near === undefined)
      throw refuse(`${folder} is not a folder that sessions may work in; they can work in ${names()}`)
    const ours = own.map((each) => realFolder(each) ?? each)
    const inside = ours.find((each) => isIn(folder, each))
    if (inside !== undefined)
      throw refuse(`${folder} is a folder of Banksman's own; sessions can work in ${names()}`)
    const below = ours.find((each) => isIn(each, folder))
    if (below !== undefined)
      throw refuse(
        `${folder} has a folder of Banksman's own in it (${below}); name a folder below it, or start the server with its data elsewhere (--data)`,
      )
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

  function names(): string {
    return usable().join(', ') || 'none: no folder that the configuration names is there'
  }

  return {
    find(wanted) {
      if (typeof wanted !== 'string' || wanted.trim() === '' || wanted.length > MAX_PATH)
        throw refuse(`name a folder; sessions can work in ${names()}`)
      if (/[\0\n\r]/.test(wanted))
        throw refuse('the name of the folder has a character that no path can have')
      if (wanted === '~' || wanted.startsWith('~/')) return place(`${home}${wanted.slice(1)}`, wanted)
      if (isAbsolute(wanted)) return place(wanted, wanted)
      const named = allowed().filter(({ path }) => basename(path) === wanted)
      if (named.length > 1)
        throw refuse(
          `${named.length} folders are called ${JSON.stringify(wanted)}; name one by its path: ${named.map(({ path }) => path).join(', ')}`,
        )
      const [first] = allowed()
      return place(named[0]?.path ?? resolve(first?.path ?? home, wanted), wanted)
    },
    check: (folder) => {
      const found = place(folder, folder)
      if (found.folder === folder) return found
      throw refuse(`${folder} leads to ${found.folder} now, which is not where the session was started`)
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

function refuse(message: string): BanksmanError {
  return new BanksmanError('invalid', message)
}
