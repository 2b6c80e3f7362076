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
