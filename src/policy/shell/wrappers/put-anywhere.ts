/**
 * Where it is not known which of the words is the program, every word that is no option is put down as if it were: a
 * deny then finds its program, and the doubt that goes with it keeps any allow from holding.
 */
import { foundCommand, NONE } from '../commands/found-command.ts'
import { UNKNOWN_WORDS } from '../commands/inner-command.ts'
import { nameProgram } from '../commands/program-name.ts'
import { type LineSpan, putCommand, type Scope } from '../commands/scope.ts'
import type { ShellWord } from '../reading.ts'
import { lookThrough } from './look-through.ts'

/** Of a long list only so many of the words behind the program are shown, and a hole for the rest. */
const TAIL = 16

export function putAnywhere(
  words: readonly ShellWord[],
  from: number,
  span: LineSpan,
  scope: Scope,
  readScript: (text: string, scope: Scope) => void,
): void {
  const short = words.length - from <= 4 * TAIL
  const read = new Set<string>()
  const put = new Set<string>()
  for (let at = from; at < words.length; at++) {
    const word = words[at]
    if (word === undefined || word.value?.startsWith('-')) continue
    const shown = short ? words.slice(at) : words.slice(at, at + TAIL)
    if (at + shown.length < words.length) shown.push(UNKNOWN_WORDS)
    const { through, redirections } = scope
    scope.budget.spend('words', shown.length)
    const command = foundCommand({
      words: shown,
      through,
      transparent: false,
      redirections,
      doubts: NONE,
      span,
      folder: undefined,
    })
    scope.budget.spend('written', command.text.length)
    // The same again says nothing new, and is how a line is made long.
    if (put.has(command.text)) continue
    put.add(command.text)
    putCommand(scope, command)
    if (/\s/.test(word.value ?? '')) readOnce(word.value ?? '', through)
    const { program } = nameProgram(word)
    if (program === undefined) continue
    for (const inner of lookThrough(program, shown, 0).inner)
      if (inner.kind === 'script') readOnce(inner.text, [...through, program])
  }

  function readOnce(text: string, through: readonly string[]): void {
    if (read.has(text)) return
    read.add(text)
    readScript(text, { ...scope, through })
  }
}
