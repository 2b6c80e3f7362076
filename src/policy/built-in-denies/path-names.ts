/** Paths taken apart by their text alone: nothing is looked up on the disk. */

/** The names on the way down from the root, with `.` and `..` worked out and a drive letter left out. */
export function namesOf(path: string): string[] {
  const names: string[] = []
  for (const name of withoutRoot(path).split('/')) {
    if (name === '..') names.pop()
    // Windows drops dots and spaces at the end of a name.
    else if (name !== '' && name !== '.') names.push(name.replace(/(?<=[^. ])[. ]+$/, ''))
  }
  return names
}

export function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[a-z]:[/\\]|file:)/.test(path)
}

export function resolvedNames(base: string, path: string): string[] {
  return namesOf(isAbsolute(path) ? path : `${base}/${path}`)
}

/**
 * Whether a name, which may hold wildcards of a shell, can mean the other. A wildcard counts only after two
 * letters: otherwise every `ls *` would name everything.
 */
export function canMean(name: string, other: string): boolean {
  if (name === other) return true
  const wildcard = name.search(/[*?[]/)
  return wildcard >= 2 && other.startsWith(name.slice(0, wildcard))
}

function withoutRoot(path: string): string {
  return path
    .replace(/^file:\/\/[^/]*/, '')
    .replace(/^\/\/[?.]\//, '/')
    .replace(/^\/?[a-z]:(?=\/|$)/, '')
    .replace(/^\/+proc\/[^/]+\/root(?=\/|$)/, '')
}
