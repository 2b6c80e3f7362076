/** The first text that is greater, by its UTF-8 bytes, than all that begin so; undefined where there is none. */
export function textAfter(prefix: string): string | undefined {
  const characters = [...prefix]
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const code = last.codePointAt(0)!
    if (code < 0x10ffff) {
      // Surrogates are no characters.
      const next = code === 0xd7ff ? 0xe000 : code + 1
      return characters.join('') + String.fromCodePoint(next)
    }
  }
  return undefined
}
