/** The files that a patch is about, by its headers: what its lines say is content, and may speak of any file. */

const HEADER =
  /^[ \t]*(?:\*{3} (?:add|update|delete) file: *(?<file>.+)|\*{3} move to: *(?<target>.+)|(?:---|\+{3}) (?<side>[^\t\n]+)|(?:rename|copy) (?:from|to) (?<name>.+)|diff --git (?<both>.+))$/gim

/** As it is written to tools that take nothing but a patch. */
export function isPatch(text: string): boolean {
  return /^\s*\*{3} begin patch\b/i.test(text)
}

export function patchedFiles(text: string): string[] {
  const files = new Set<string>()
  for (const { groups } of text.matchAll(HEADER)) {
    const { file, target, side, name, both } = groups ?? {}
    for (const one of [file, target, name]) if (one !== undefined) files.add(unquoted(one))
    // With and without the `a/` and `b/` in front, which options may leave there.
    for (const one of side === undefined ? [] : [unquoted(side)]) add(one)
    for (const one of both?.split(/ (?="?b\/)/) ?? []) add(unquoted(one))
  }
  return [...files]

  function add(path: string): void {
    files.add(path)
    files.add(path.replace(/^[^/]+\//, ''))
  }
}

function unquoted(path: string): string {
  return path.trim().replace(/^"(.*)"$/, '$1')
}

/** More than anybody changes at once. */
const MAX_PATCHED = 200

const FILE = /^\*{3} (?:Add|Update|Delete) File:(.*)$/
const ODD = /[\x00-\x1f\x7f-\xa0\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]/
const MOVE = /^\*{3} Move to:(.*)$/

/**
 * All files of a patch that is nothing else; undefined where that can't be told: the programs that apply one differ in what they
 * pass over. What looks like a header is one wherever it begins a line, even where it may be content.
 */
export function readPatch(text: string): string[] | undefined {
  const lines = text.trim().split(/\r?\n|\r/)
  if (lines[0] !== '*** Begin Patch' || lines.at(-1)?.trim() !== '*** End Patch') return undefined
  const files = new Set<string>()
  let named = false
  for (const one of lines.slice(1, -1)) {
    // What some programs take for a space at an end, others don't.
    const line = one.replace(/^[^\x21-\x7e]+/, '').trim()
    if (!line.startsWith('***') || line === '*** End of File') continue
    const path = (FILE.exec(line) ?? (named ? MOVE.exec(line) : null))?.[1]?.replace(/^ /, '')
    if (path === undefined || path === '' || path !== path.trim() || ODD.test(path)) return undefined
    named = true
    files.add(path)
  }
  return files.size === 0 || files.size > MAX_PATCHED ? undefined : [...files]
}
