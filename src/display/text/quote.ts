/**
 * A text in quotes, as in JSON but for characters that can't be seen: those are left for `makeVisible`, which
 * writes them out and has them warned of, where JSON would bury them among its own escapes.
 */
export function quote(text: string): string {
  return `"${text.replace(/["\\\n\t]/g, (character) => ESCAPES[character as keyof typeof ESCAPES])}"`
}

const ESCAPES = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t' } as const
