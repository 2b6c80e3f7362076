/**
 * The path that a word of a command stands for, as the edge is asked about it: absolute, from the home folder (`~`), or
 * from the folder of the line. It is not shortened: `a/../b` is not `b` where `a` is a link.
 */
import type { ShellCommand, ShellWord } from '../shell/reading.ts'

/** Undefined where it is known only when the line runs. */
export function whereItLeads(path: string, folder: string | undefined): string | undefined {
  if (path.startsWith('/') || path === '~' || path.startsWith('~/')) return path
  // The home of another user, or a folder that the shell remembers.
  if (path.startsWith('~')) return undefined
  if (folder === undefined) return undefined
  if (folder === '') return path === '' ? '.' : path
  return path === '' ? folder : `${folder.replace(/(?<!\/)\/+$/, '')}/${path}`
}

/** The folder before the first wildcard; undefined where what follows may lead out of it again. */
export function folderOfPattern(value: string): string | undefined {
  const first = value.search(/[*?[{]|[@+!]\(/)
  if (first < 1 && value[0] === '{') return undefined
  const fixed = first === -1 ? value : value.slice(0, first)
  const rest = first === -1 ? '' : value.slice(first)
  if (rest.includes('..')) return undefined
  const slash = fixed.lastIndexOf('/')
  return slash === -1 ? (fixed.startsWith('~') ? undefined : '.') : slash === 0 ? '/' : fixed.slice(0, slash)
}

/** Whether what the pattern comes to may begin with a wildcard's match, such as the name of an option. */
export function beginsWithWildcard(word: ShellWord): boolean {
  return word.pattern && /^([*?[{]|[@+!]\()/.test(word.value ?? '*')
}

/**
 * A word as a path in one spelling, where that can be said without looking: what is compared with the folders that
 * nothing repairs. The last part is left out where it is only a wildcard: `/etc/*` is all of `/etc`.
 */
export function plainPathOfWord(word: ShellWord, command: ShellCommand, prefix = ''): string | undefined {
  const written = word.value ?? word.text.replace(/["']/g, '')
  if (!written.startsWith(prefix)) return undefined
  const home = written.slice(prefix.length).replace(/^\$(HOME\b|\{HOME\})/, '~')
  if (home.includes('$') || home.includes('`') || home === '') return undefined
  const path = whereItLeads(home, command.folder)
  if (path === undefined) return undefined
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    const last = parts.at(-1)
    if (part === '..' && last !== undefined && last !== '..' && last !== '~') parts.pop()
    else if (!(part === '..' && last === undefined && path.startsWith('/'))) parts.push(part)
  }
  while (parts.length > 0 && isWild(parts.at(-1) ?? '')) parts.pop()
  return (path.startsWith('/') ? '/' : '') + parts.join('/')
}

/** Nothing but wildcards, braces and dots. Two looks, since one expression for both takes time in the square of the length. */
function isWild(name: string): boolean {
  return /[*?]/.test(name) && /^[*?.{},]+$/.test(name)
}
