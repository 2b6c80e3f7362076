/**
 * Whether a word with a shell's wildcards may come to a file whose last name fits the last name of a path pattern:
 * `cat *.p*` may read what `*.pem` in any folder is about. It errs on the side of yes.
 */

/** Any of the pattern's names, `**` at its end, stands for anything below a folder, which is judged by the folder. */
export function wildcardMeets(word: string, pathPattern: string): boolean {
  const name = lastName(word)
  const wanted = lastName(pathPattern)
  if (wanted === '**' || !/[*?[{]/.test(name)) return false
  // All that is in a folder, as if the folder were named.
  if (/^\*+$/.test(name)) return false
  // A wildcard does not stand for the dot at the beginning of a name.
  if (/^[*?]/.test(name) && wanted.startsWith('.')) return false
  return meet(simplified(name), simplified(wanted))
}

function lastName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? ''
}

/** A set is one letter of some; braces and extended patterns may be anything. */
function simplified(name: string): string {
  return name
    .replace(/[{(].*/s, '*')
    .replace(/\[[^\]]+\]/g, '?')
    .replace(/\*+/g, '*')
    .slice(0, MAX_NAME)
}

/** No file system has longer names. */
const MAX_NAME = 255

/** Whether some text fits both, in which `*` stands for anything and `?` for a letter. Each pair of places is looked at once. */
function meet(a: string, b: string): boolean {
  let reached = afterStars(new Set([0]), b)
  for (const letter of a) {
    const next = new Set<number>()
    for (const at of reached) {
      if (letter === '*') {
        for (let to = at; to <= b.length; to++) next.add(to)
        continue
      }
      const other = b[at]
      if (other === '*') next.add(at)
      else if (other !== undefined && (other === letter || other === '?' || letter === '?')) next.add(at + 1)
      if (b[at - 1] === '*') next.add(at)
    }
    reached = afterStars(next, b)
  }
  return reached.has(b.length)
}

/** A star may stand for nothing. */
function afterStars(places: Set<number>, pattern: string): Set<number> {
  const all = new Set(places)
  for (const at of places) for (let next = at; pattern[next] === '*'; next++) all.add(next + 1)
  return all
}
