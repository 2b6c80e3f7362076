/**
 * Whether a data folder is the one that this user has used before. Whoever makes a data folder makes tokens, grants and links in
 * it, so a project that brings one along would bring its own approver (P11). What is known stands in the person's own folder:
 * the path, the inode, and a name that both folders keep.
 */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { digestOf } from '../../core/digest.ts'
import { BanksmanError } from '../../core/errors.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { Environment } from '../configuration/store-configuration.ts'
import { personalFolder } from '../configuration/trust.ts'
import { SEARCH_IGNORES } from '../facts/ignored-folders.ts'
import { readIfThere } from '../host/read-file.ts'
import { putFile } from '../host/replace-file.ts'
import type { DataFolder } from './data-folder.ts'

interface KnownFolder {
  path: string
  inode: string
  installation: string
}

/** What a folder may have that was made by hand, or by a start that failed early. */
const EMPTY: readonly string[] = ['.gitignore', ...SEARCH_IGNORES, 'lock.db', 'run']

/** Throws `data_folder_refused` unless the folder is this user's, and known or new. */
export function checkKnownFolder(folder: DataFolder, environment: Environment, adopt = false): void {
  const found = lstatSync(folder.path, { throwIfNoEntry: false })
  if (found === undefined) return
  checkPlain(folder, found)
  if (isNew(folder) || adopt) return
  const known = readKnown(folder, environment)
  if (known?.inode === inodeOf(found) && known.installation === installationOf(folder)) return
  const why =
    known === undefined
      ? 'was not made by you with this BANKSMAN_HOME: it may have come with a project, and whoever made it can approve in it'
      : 'is not the folder that was used here before: it was copied or restored'
  throw refused(
    folder,
    `${why}. If it is yours, type at a terminal: banksman start --adopt-data. All tokens, grants and account links in it are revoked. Otherwise remove it`,
  )
}

/** From now on the folder is known to this user. */
export function rememberFolder(folder: DataFolder, environment: Environment): void {
  const found = lstatSync(folder.path)
  const installation = installationOf(folder) ?? randomUUID()
  const known: KnownFolder = { path: realpathSync(folder.path), inode: inodeOf(found), installation }
  const before = readKnown(folder, environment)
  if (before?.inode === known.inode && before.installation === installation) return
  putFile(folder.installationFile, `${installation}\n`)
  putFile(recordPath(folder, environment), `${JSON.stringify(known, null, 2)}\n`)
}

function checkPlain(folder: DataFolder, found: Stats): void {
  if (found.isSymbolicLink()) throw refused(folder, 'is a link; name the folder that it leads to')
  if (!found.isDirectory()) throw refused(folder, 'is not a folder')
  const self = process.getuid?.()
  if (self !== undefined && found.uid !== self)
    throw refused(
      folder,
      `belongs to another user (uid ${found.uid}; you are ${self}); run this as that user`,
    )
  if (self !== undefined && (found.mode & 0o022) !== 0 && !isNew(folder))
    throw refused(folder, `can be written by others; check what is in it, and run: chmod 700 ${folder.path}`)
  const link = readdirSync(folder.path, { withFileTypes: true }).find((entry) => entry.isSymbolicLink())
  if (link !== undefined) throw refused(folder, `holds a link, ${link.name}; remove it`)
  if (isTracked(folder)) throw refused(folder, `is tracked by git; run: git rm -r --cached ${folder.path}`)
}

function isNew({ path }: DataFolder): boolean {
  return readdirSync(path).every((name) => EMPTY.includes(name))
}

/** Asked of git without anything that a project could have it run. Where there is no git, nothing is tracked. */
function isTracked({ path }: DataFolder): boolean {
  const settings = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null']
  const { status, stdout } = spawnSync('git', [...settings, 'ls-files', '--', basename(path)], {
    cwd: dirname(path),
    encoding: 'utf8',
    timeout: 5000,
  })
  return status === 0 && stdout !== ''
}

function readKnown(folder: DataFolder, environment: Environment): KnownFolder | undefined {
  const text = readIfThere(recordPath(folder, environment))
  if (text === undefined) return undefined
  try {
    return parseJson<KnownFolder>(text)
  } catch {
    return undefined
  }
}

function recordPath(folder: DataFolder, environment: Environment): string {
  const name = digestOf(realpathSync(folder.path)).slice(0, 32)
  return join(personalFolder(environment), 'data-folders', `${name}.json`)
}

function installationOf(folder: DataFolder): string | undefined {
  return readIfThere(folder.installationFile)?.trim() || undefined
}

function inodeOf({ ino }: Stats): string {
  return String(ino)
}

function refused({ path }: DataFolder, why: string): BanksmanError {
  return new BanksmanError('data_folder_refused', `the data folder ${path} ${why}`, { path })
}
