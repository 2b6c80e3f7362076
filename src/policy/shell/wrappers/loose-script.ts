/**
 * A word that a shell would read as code, of which not all is known: `"rm -rf $X"`. What is known of it is read, with
 * the unknown left as it stands. It always goes with a doubt.
 */
import type { ShellWord } from '../reading.ts'

export function looseScript(word: ShellWord): string {
  if (word.value !== undefined) return word.value
  const { text } = word
  if (/^'[^']*'$/.test(text)) return text.slice(1, -1)
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text
  return text.slice(1, -1).replace(/\\(["\\])/g, '$1')
}
