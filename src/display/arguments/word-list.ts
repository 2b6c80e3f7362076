/**
 * A program that is started with a list of arguments, as the one line that a shell would have to be given (P9). It is
 * quoted so that reading it as a shell gives exactly the list back: `["a b"]`, `["a", "b"]` and `[""]` never look the
 * same, and nothing in it would be expanded. Whatever could not be shown as it is stands as an escape of the shell's
 * own, so nothing of our notation gets between; only a masked argument is a mask.
 */

import { defined } from '../../core/defined.ts'
import type { LeftOut, LinePiece, VisibleText } from '../../core/rendering.ts'
import { quoteProgram, quoteWord, spellWord } from '../../core/support/quote-word.ts'
import { STRICTEST_FIRST } from '../../core/verdict.ts'
import { coverOf } from '../masks/mask-label.ts'
import { VALUE_LIMIT } from '../text/value-limit.ts'
import { makeVisible } from '../text/visible.ts'
import type { LineCommand, LinePlace } from './cut-command-line.ts'
import type { WordList } from './find-word-list.ts'
import { type ShownMask, type ShownPart, showParts } from './show-parts.ts'

/** The line in pieces, each of which belongs to the strictest of its commands: all of them run by all of the line. */
export function cutWordList(
  list: WordList,
  maskAt: ReadonlyMap<string, ShownMask>,
  commands: readonly LineCommand[],
  doubts: readonly LinePlace[],
  limit = VALUE_LIMIT,
): LinePiece[] {
  const verdicts = commands.map(({ verdict }) => verdict)
  const strictest = STRICTEST_FIRST.find((verdict) => verdicts.includes(verdict))
  const command = strictest === undefined ? undefined : verdicts.lastIndexOf(strictest)
  const { value } = showWordList(list, maskAt, limit)
  return value.spans.map((span) => ({
    ...span,
    ...defined({ command }),
    ...(doubts.length === 0 ? {} : { doubt: 0 }),
  }))
}

export function showWordList(
  { words }: WordList,
  maskAt: ReadonlyMap<string, ShownMask>,
  limit: number,
): { value: VisibleText; shortened?: LeftOut } {
  const quoted = words.map(({ value, pointer }, index): ShownPart => {
    const mask = maskAt.get(pointer)
    // Nothing in a command is masked in part, so the mask is all of the word.
    if (mask !== undefined) return { text: coverOf(mask), mask }
    return { text: index === 0 ? quoteProgram(value) : quoteWord(value) }
  })
  spellUnclear(quoted, words, limit)
  const shown = showParts(joined(quoted), limit)
  if (shown.value.spans.every(({ kind }) => kind === 'text' || kind === 'mask' || kind === 'left-out'))
    return shown
  // What is clear word by word may not be in a line: then nothing but ASCII is.
  const spelled = quoted.map((part, index) =>
    part.mask !== undefined || ASCII.test(part.text) ? part : { text: spellWord(words[index]!.value) },
  )
  return showParts(joined(spelled), limit)
}

/** Only of what can be seen: the middle of a long list is left out. */
function spellUnclear(quoted: ShownPart[], words: WordList['words'], limit: number): void {
  const look = (index: number): number => {
    const { text, mask } = quoted[index]!
    if (mask === undefined && !isClear(text, limit)) quoted[index] = { text: spellWord(words[index]!.value) }
    return text.length + 1
  }
  let index = 0
  for (let room = limit; index < quoted.length && room > 0; index++) room -= look(index)
  for (let last = quoted.length - 1, room = limit; last >= index && room > 0; last--) room -= look(last)
}

function isClear(text: string, limit: number): boolean {
  if (text.length <= limit) return isShownAsIs(text)
  return isShownAsIs(text.slice(0, limit)) && isShownAsIs(text.slice(text.length - limit))
}

function isShownAsIs(text: string): boolean {
  return makeVisible(text).spans.every(({ kind }) => kind === 'text')
}

/** What stands between masks is one text: what is clear in it depends on what is beside it. */
function joined(words: readonly ShownPart[]): ShownPart[] {
  const parts: ShownPart[] = []
  let text = ''
  for (const [index, word] of words.entries()) {
    if (index > 0) text += ' '
    if (word.mask === undefined) text += word.text
    else {
      parts.push({ text }, word)
      text = ''
    }
  }
  return [...parts, { text }].filter((part) => part.text !== '')
}

const ASCII = /^[\0-\x7f]*$/
