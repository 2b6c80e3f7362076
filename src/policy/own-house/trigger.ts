/**
 * One quick test that tells whether a text is worth a closer look. Nearly no text is, and that is what keeps the
 * built-in denies cheap.
 */
export function compileTrigger(names: readonly string[], texts: readonly string[]): RegExp {
  const wildcards = names.map((name) => {
    // Bounded, so that a long text of such beginnings is not walked again from each of them.
    return `${literal(name.slice(0, 2))}[^/\\s]{0,64}[*?[]`
  })
  return new RegExp([...[...names, ...texts].map(literal), ...wildcards].join('|'))
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
