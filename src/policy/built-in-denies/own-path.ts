/** One file or folder that belongs to Banksman itself, and how paths and patterns relate to it. */
import { BanksmanError } from '../../core/errors.ts'
import { foldCase } from '../matchers/spellings.ts'
import { fitsName, saysOfName } from '../shell/effects/shell-wildcards.ts'
import { canMean, isAbsolute, namesOf } from './path-names.ts'

export interface OwnPath {
  /** As it was given, for messages. */
  given: string
  folded: string
  names: string[]
  name: string
  isFolder: boolean
  /** It may be read, only not written. */
  readable: boolean
  /** The program's name is in it: in a command, a word like that means ours wherever it seems to be. */
  distinctive: boolean
  /** It is one in whatever folder it lies: the names are the end of a path. */
  anywhere: boolean
  /** The name on the way to it by which a text is found that may be about it. */
  telling: string
}

export function ownPath(
  given: string,
  kind: { isFolder: boolean; readable: boolean },
  program: string,
): OwnPath {
  const folded = slashed(given)
  const names = ownNames(given)
  const name = names.at(-1)
  if (name === undefined || !isAbsolute(folded)) {
    throw new BanksmanError(
      'invalid_configuration',
      `${JSON.stringify(given)} can't be kept from agents: it must be an absolute path below the root`,
    )
  }
  return {
    given,
    folded: `/${names.join('/')}`,
    names,
    name,
    ...kind,
    distinctive: name.includes(program) && name !== program,
    anywhere: false,
    telling: name,
  }
}

/** One that counts in whatever folder it lies, written as the end of a path: `.claude/settings.json`. */
export function pathAnywhere(given: string, isFolder: boolean): OwnPath {
  const names = ownNames(given)
  const name = names.at(-1) ?? ''
  return {
    ...{ given, names, name, isFolder },
    folded: names.join('/'),
    readable: true,
    distinctive: false,
    anywhere: true,
    telling: names.find((one) => !EVERYDAY_NAMES.has(one)) ?? name,
  }
}

/** Names of folders that say nothing of what is in them. */
const EVERYDAY_NAMES: ReadonlySet<string> = new Set([
  ...['.config', '.local', 'share', 'documents', 'library', 'application support', 'appdata', 'roaming'],
  ...['settings', 'hooks', '.github', '.vscode', '.aws', 'user', 'code', 'config.json', 'mcp.json'],
])

/** The names on the way to it, as they are compared. */
export function ownNames(given: string): string[] {
  return namesOf(slashed(given))
}

export function slashed(path: string): string {
  return foldCase(path).replaceAll('\\', '/')
}

/** Whether these names lead to it, or into it. */
export function isAt(own: OwnPath, names: readonly string[]): boolean {
  return leadsTo(own, names, canMean)
}

/** Whether these names, compared one by one, lead to it, or into it where it is a folder; with `inside`, into it. */
function leadsTo(
  own: OwnPath,
  names: readonly string[],
  means: (name: string, own: string) => boolean,
  inside = false,
): boolean {
  const spare = names.length - own.names.length
  const last = own.isFolder && inside ? spare - 1 : spare
  for (let at = own.isFolder ? 0 : spare; at >= 0 && at <= last; at++) {
    if (at > 0 && !own.anywhere) return false
    if (own.names.every((name, index) => means(names[at + index] ?? '', name))) return true
  }
  return false
}

/** Whether names that are meant in a folder that is not known may lead to it, or into it: they begin as it ends. */
export function endsWith(own: OwnPath, names: readonly string[]): boolean {
  if (own.anywhere) return isAt(own, names)
  for (let count = 1; count <= Math.min(own.names.length, names.length); count++) {
    if (!own.isFolder && count !== names.length) continue
    const end = own.names.slice(-count)
    if (end.every((name, index) => canMean(names[index] ?? '', name))) return true
  }
  return false
}

/** Whether it lies in this folder, however deep, or is the folder itself. */
export function isBelow(own: OwnPath, names: readonly string[]): boolean {
  if (own.anywhere) return beginsAsEnds(own, names, (name, other) => name === other)
  return names.length <= own.names.length && names.every((name, index) => name === own.names[index])
}

/** The same for names with the wildcards of a shell in them. `deep`: what lies in the folders that are found counts. */
export function isTakenBy(own: OwnPath, pattern: readonly string[], deep: boolean): boolean {
  if (own.anywhere) {
    if (!deep) return !own.isFolder && isMeantBy(own, pattern)
    return beginsAsEnds(own, pattern, (piece, name) => saysOfName(piece, name) && fitsName(piece, name))
  }
  if (deep ? pattern.length > own.names.length : pattern.length !== own.names.length || own.isFolder)
    return false
  return pattern.every((piece, index) => fitsName(piece, own.names[index] ?? ''))
}

/** Whether a pattern of a shell finds what is in it, whatever it says of its name; of a file, whether it finds it. */
export function isEnteredBy(own: OwnPath, pattern: readonly string[]): boolean {
  return leadsTo(own, pattern, fitsName, true)
}

/** Whether a pattern leads to it, or into it, and says enough of its name to be meant for it. */
export function isMeantBy(own: OwnPath, pattern: readonly string[]): boolean {
  const fits = (piece: string, name: string) =>
    fitsName(piece, name) && (name !== own.name || saysOfName(piece, name))
  return leadsTo(own, pattern, fits)
}

/** Of one that is anywhere: whether the names end in the folders that lead to it, at least the first of them. */
function beginsAsEnds(
  own: OwnPath,
  names: readonly string[],
  means: (name: string, own: string) => boolean,
): boolean {
  for (let count = 1; count <= Math.min(own.names.length, names.length); count++) {
    if (names.slice(-count).every((name, index) => means(name, own.names[index] ?? ''))) return true
  }
  return false
}
