/** The paths that the words of a command stand for. */
import type { ShellWord } from '../shell/reading.ts'

/** Where a word stands for a folder; one that is known only when the line runs gives none. */
export function pathsOf(words: readonly ShellWord[]): string[] {
  return words.flatMap(({ text, value, pattern }) => {
    // What `xargs` adds may be any folder, and is most often this one.
    if (value === undefined) return text === '…' ? ['.'] : isWild(text) ? [folderOf(text)] : []
    return pattern ? [folderOf(value)] : [value]
  })
}

/** `.*` may find `..` too, and so has no fixed value. */
function isWild(text: string): boolean {
  return /[*?[]/.test(text) && !/["'$`(){}\\]/.test(text)
}

export function folderOf(pattern: string): string {
  const wildcard = pattern.search(/[*?[{]/)
  const slash = pattern.lastIndexOf('/', wildcard)
  return slash === -1 ? '.' : slash === 0 ? '/' : pattern.slice(0, slash)
}
