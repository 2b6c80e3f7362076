/**
 * A program that is started with a list of arguments, as the one line that a shell would have to be given (P9). It is
 * quoted so that reading it as a shell gives exactly the list back: `["a b"]`, `["a", "b"]` and `[""]` never look the
 * same, and nothing in it would be expanded. Whatever could not be shown as it is stands as an escape of the shell's
 * own, so nothing of our notation gets between; only a masked argument is a mask.
 */

import type { CommandPlace } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import type { KnownTool } from '../../core/known-tool.ts'
import { quoteProgram, quoteWord, spellWord } from '../../core/quote-word.ts'
import type { LeftOut, VisibleText } from '../../core/rendering.ts'
import type { WireLinePiece } from '../../wire/types/view.ts'
import { childPointer, valueAt } from '../masks/json-pointer.ts'
import { coverOf, type Mask, maskArguments } from '../masks/mask.ts'
import { VALUE_LIMIT } from '../text/value-limit.ts'
import { makeVisible } from '../text/visible.ts'
import type { LineCommand, LinePlace } from './cut-command-line.ts'
import { type ShownMask, type ShownPart, showParts } from './show-parts.ts'

export interface WordList {
  /** The arguments that hold the list: the program's and that of its words, or the one that has both. */
  pointers: string[]
  /** The program first. */
  words: { value: string; pointer: string }[]
}

/** Without a place the usual names are looked for. Undefined where there is no list, or not only texts in it. */
export function findWordList(args: JsonObject, place = guessPlace(args)): WordList | undefined {
  if (place === undefined) return undefined
  const command = valueAt(args, place.command)
  const words = place.words === undefined ? undefined : valueAt(args, place.words)
  if (typeof command === 'string') {
    if (!isTexts(words)) return undefined
    const program = { value: command, pointer: place.command }
    return { pointers: [place.command, place.words!], words: [program, ...wordsAt(words, place.words!)] }
  }
  if (!isTexts(command) || command.length === 0 || words !== undefined) return undefined
  return { pointers: [place.command], words: wordsAt(command, place.command) }
}

export interface CommandLineOptions {
  limit?: number | undefined
  /** What the catalogue knows of the tool. Absent: the list is looked for by the usual names. */
  known?: KnownTool | undefined
  /** Where masks stand in these arguments. Absent: the arguments are as they are, and secrets in them are masked. */
  masked?: readonly string[] | undefined
}

/** For who shows arguments as a structure: the line beside it, where there is a list. */
export function commandLineOf(args: JsonObject, options: CommandLineOptions = {}): string | undefined {
  const list = findWordList(args, options.known?.command)
  if (list === undefined) return undefined
  const masks = options.masked?.map((pointer) => [pointer, String(valueAt(args, pointer))] as const)
  const maskAt =
    masks === undefined ? masksOf(args, options.known) : new Map(masks.map(([at, text]) => [at, { text }]))
  return showWordList(list, maskAt, options.limit ?? VALUE_LIMIT).value.text
}

/** The line in pieces, each of which belongs to the strictest of its commands: all of them run by all of the line. */
export function cutWordList(
  list: WordList,
  maskAt: ReadonlyMap<string, ShownMask>,
  commands: readonly LineCommand[],
  doubts: readonly LinePlace[],
  limit = VALUE_LIMIT,
): WireLinePiece[] {
  const verdicts = commands.map(({ verdict }) => verdict)
  const strictest = (['deny', 'ask', 'allow'] as const).find((verdict) => verdicts.includes(verdict))
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

const COMMAND_KEYS = ['command', 'cmd']
const WORD_KEYS = ['args', 'argv', 'arguments']

/** By the usual names. */
export function guessPlace(args: JsonObject): CommandPlace | undefined {
  const key = COMMAND_KEYS.find((name) => Object.hasOwn(args, name))
  if (key === undefined) return undefined
  const words = WORD_KEYS.find((name) => Object.hasOwn(args, name) && Array.isArray(args[name]))
  return {
    command: childPointer('', key),
    ...(words === undefined ? {} : { words: childPointer('', words) }),
  }
}

function wordsAt(values: readonly string[], pointer: string): WordList['words'] {
  return values.map((value, index) => ({ value, pointer: childPointer(pointer, index) }))
}

function masksOf(args: JsonObject, known: KnownTool | undefined): Map<string, Mask> {
  return new Map(maskArguments(args, known).masks.map((mask) => [mask.pointer, mask]))
}

function isTexts(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
