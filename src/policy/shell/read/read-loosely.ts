/**
 * What a text that can't be parsed might run: every word of every piece between the marks that end a command is taken for
 * a program. Much of it is no command at all. It is there so that a deny finds its program in a text that only some shell
 * understands, or that is too long to be read, and it always goes with a doubt.
 *
 * It takes time in proportion to the text: what looks like something that was put down before is passed over, and after
 * so many different ones it ends.
 */
import { foundCommand, NONE } from '../commands/found-command.ts'
import { UNKNOWN_WORDS } from '../commands/inner-command.ts'
import type { FoundCommand, LineSpan, Scope } from '../commands/scope.ts'
import { LINE_LIMITS } from '../parse/line-limits.ts'
import type { ShellWord } from '../reading.ts'

/** Words that stand before a command, in the grammar of the shell. */
const BEFORE_A_COMMAND: ReadonlySet<string> = new Set(
  'if then elif else while until do for in case select function time coproc !'.split(' '),
)

/** A word, or the marks that end a command. */
const TOKEN = /[;&|\n(){}`]+|[^\s;&|(){}`]+/g

/** What two commands must have in common to be taken for the same one. */
const COMPARED = 64
/** So many of the words behind the program are shown, and a hole for the rest. */
const TAIL = 16
/** No deny is about more of a word than this. */
const LONGEST_WORD = 1000

export function readLoosely(
  text: string,
  span: LineSpan,
  scope: Pick<Scope, 'through' | 'redirections'>,
  put: (command: FoundCommand) => void,
): void {
  const seen = new Set<string>()
  let isFirst = true
  TOKEN.lastIndex = 0
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const [word] = token
    if (isMark(word)) {
      isFirst = true
      continue
    }
    if (isFirst && BEFORE_A_COMMAND.has(word)) continue
    isFirst = false
    const key = text.slice(token.index, token.index + COMPARED)
    if (word.startsWith('-') || seen.has(key)) continue
    if (seen.size >= LINE_LIMITS.loose) return
    seen.add(key)
    const end = TOKEN.lastIndex
    put(commandAt(text, token.index, span, scope))
    TOKEN.lastIndex = end
  }
}

function commandAt(
  text: string,
  start: number,
  span: LineSpan,
  { through, redirections }: Pick<Scope, 'through' | 'redirections'>,
): FoundCommand {
  const words: ShellWord[] = []
  TOKEN.lastIndex = start
  for (let token = TOKEN.exec(text); token !== null && !isMark(token[0]); token = TOKEN.exec(text)) {
    if (words.length > TAIL) {
      words.push(UNKNOWN_WORDS)
      break
    }
    words.push(looseWord(token[0]))
  }
  const folder = undefined
  return foundCommand({ words, through, transparent: false, redirections, doubts: NONE, span, folder })
}

function isMark(token: string): boolean {
  return /^[;&|\n(){}`]/.test(token)
}

function looseWord(whole: string): ShellWord {
  const text = whole.slice(0, LONGEST_WORD)
  const value = text.replace(/['"\\]/g, '')
  return text.includes('$') || whole.length > text.length
    ? { text, value: undefined, pattern: true }
    : { text: value, value, pattern: false }
}
