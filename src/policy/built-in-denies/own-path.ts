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
  }
}

/** The names on the way to it, as they are compared. */
export function ownNames(given: string): string[] {
  return namesOf(slashed(given))
}

export function slashed(path: string): string {
  return foldCase(path).replaceAll('\\', '/')
}

/** Whether these names lead to it, or into it. */
export function isAt(own: OwnPath, names: readonly string[]): boolean {
  if (own.isFolder ? names.length < own.names.length : names.length !== own.names.length) return false
  return own.names.every((name, index) => canMean(names[index] ?? '', name))
}

/** Whether names that are meant in a folder that is not known may lead to it, or into it: they begin as it ends. */
export function endsWith(own: OwnPath, names: readonly string[]): boolean {
  for (let count = 1; count <= Math.min(own.names.length, names.length); count++) {
    if (!own.isFolder && count !== names.length) continue
    const end = own.names.slice(-count)
    if (end.every((name, index) => canMean(names[index] ?? '', name))) return true
  }
  return false
}

/** Whether it lies in this folder, however deep, or is the folder itself. */
export function isBelow(own: OwnPath, names: readonly string[]): boolean {
  return names.length <= own.names.length && names.every((name, index) => name === own.names[index])
}

/** The same for names with the wildcards of a shell in them. `deep`: what lies in the folders that are found counts. */
export function isTakenBy(own: OwnPath, pattern: readonly string[], deep: boolean): boolean {
  if (deep ? pattern.length > own.names.length : pattern.length !== own.names.length || own.isFolder)
    return false
  return pattern.every((piece, index) => fitsName(piece, own.names[index] ?? ''))
}

/** Whether a pattern of a shell finds what is in it, whatever it says of its name; of a file, whether it finds it. */
export function isEnteredBy(own: OwnPath, pattern: readonly string[]): boolean {
  if (own.isFolder ? pattern.length <= own.names.length : pattern.length !== own.names.length) return false
  return own.names.every((name, index) => fitsName(pattern[index] ?? '', name))
}

/** Whether a pattern leads to it, or into it, and says enough of its name to be meant for it. */
export function isMeantBy(own: OwnPath, pattern: readonly string[]): boolean {
  if (own.isFolder ? pattern.length < own.names.length : pattern.length !== own.names.length) return false
  return (
    saysOfName(pattern[own.names.length - 1] ?? '', own.name) &&
    own.names.every((name, index) => fitsName(pattern[index] ?? '', name))
  )
}
