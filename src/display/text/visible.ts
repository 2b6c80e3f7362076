/**
 * Makes text visible: whatever a person could not see, or would see wrongly, is written out (P9).
 *
 * The notation is `⟨name⟩`, as in `⟨ESC⟩`, `⟨U+202E RLO⟩` or, for a run, `⟨NUL ×12⟩`. The opening bracket itself
 * and the brackets that look like it are written out too, so a text can't pretend to contain an escape, a mask or
 * a mark, and two different texts never look the same: the original can be read back from what is shown.
 *
 * A word that is not what it looks like keeps its letters and is followed by the reason, as in
 * `pаypal⟨Latin+Cyrillic⟩`.
 *
 * Many texts can be spelled in two ways that are drawn alike: an accented letter, or the letter and its accent (Unicode
 * calls them canonically equivalent). What is not spelled in the usual way, NFC, is written out where it differs from it,
 * as in `e⟨U+0301⟩`, so what is shown is always NFC.
 *
 * Joined emoji are shown with their joiners written out. The one invisible character that stays is U+FE0F where
 * it does what it is for: after a character that can be drawn both as text and as emoji, and in keycaps.
 */
import type { Span, VisibleText } from '../../core/rendering.ts'
import { nameCharacter } from './escapes.ts'
import { findLookAlikes, type ScriptContext, scriptContextOf } from './look-alikes.ts'
import { isUsualSpelling, lastCharacterAt, usualUntil } from './usual-spelling.ts'

export interface VisibleOptions {
  /** `mark`, for one line: line breaks and tabs are written out. `keep`, for blocks: they stay. */
  lines?: 'mark' | 'keep'
  /** `mark`, for a line that was changed: blanks at the end of the text are spelled out. */
  end?: 'mark'
  /** `mark`, where a tab must be told from spaces: tabs are spelled out, in blocks too. */
  tabs?: 'mark'
}

/** What we say ourselves is not made visible, so it must never contain what came from outside. */
export const OPENING_BRACKET = '\u27e8'
export const CLOSING_BRACKET = '\u27e9'

export function makeVisible(text: string, options: VisibleOptions = {}): VisibleText {
  if (isPlain(text, options)) return ofText(text)
  const spans: Span[] = []
  writeSpans(text, options, (span) => spans.push(span))
  return ofSpans(spans)
}

/** A span with the place in the text that it stands for. A `text` span says exactly what stands there. */
export interface PlacedSpan {
  span: Span
  start: number
  end: number
}

/** The spans of `makeVisible`, each with its place. */
export function placeVisible(text: string, options: VisibleOptions = {}): PlacedSpan[] {
  if (isPlain(text, options)) {
    return ofText(text).spans.map((span) => ({ span, start: 0, end: text.length }))
  }
  const placed: PlacedSpan[] = []
  writeSpans(text, options, (span, start, end) => placed.push({ span, start, end }))
  return placed
}

function isPlain(text: string, { lines, end, tabs }: VisibleOptions): boolean {
  if (end === 'mark' && blanksAtEnd(text) < text.length) return false
  const plain = lines !== 'keep' ? PLAIN_LINE : tabs === 'mark' ? PLAIN_WITHOUT_TABS : PLAIN_BLOCK
  return plain.test(text) && !LONG_BLANKS.test(text)
}

type Write = (span: Span, start: number, end: number) => void

function writeSpans(text: string, options: VisibleOptions, write: Write): void {
  const keepLines = options.lines === 'keep'
  const keepTabs = keepLines && options.tabs !== 'mark'
  const endBlanks = options.end === 'mark' ? blanksAtEnd(text) : text.length
  const isUsual = isUsualSpelling(text)
  const ordinary = isUsual ? ORDINARY : FEW_ORDINARY
  let context: ScriptContext | undefined
  let plainFrom = 0
  let at = 0
  /** How many combining marks the last letter carries; -1 where there is no letter to carry one. */
  let marks = -1
  let letterAt = 0
  let isAfterOrdinary = false

  const flush = (): void => {
    if (plainFrom === at) return
    const part = text.slice(plainFrom, at)
    if (ASCII.test(part)) {
      write({ kind: 'text', text: part }, plainFrom, at)
      return
    }
    context ??= scriptContextOf(text)
    writeWords(part, plainFrom, context, write)
  }
  const writeOut = (kind: 'escape' | 'spelled', code: number, width: number, count: number): void => {
    flush()
    const { label, name } = nameCharacter(code)
    const end = at + width * count
    write(
      { kind, text: `${OPENING_BRACKET}${label}${count > 1 ? ` ×${count}` : ''}${CLOSING_BRACKET}`, name },
      at,
      end,
    )
    at = end
    plainFrom = at
    marks = -1
    isAfterOrdinary = false
  }

  while (at < text.length) {
    ordinary.lastIndex = at
    if (ordinary.test(text)) {
      const end = ordinary.lastIndex
      const kept = isUsual ? end : usualUntil(text, at, end, isAfterOrdinary)
      if (kept > at) {
        at = kept
        letterAt = lastCharacterAt(text, at)
        marks = ENDS_IN_LETTER.test(text.slice(letterAt, at)) ? 0 : -1
        isAfterOrdinary = true
        continue
      }
    }
    const code = text.codePointAt(at)!
    const width = code > 0xffff ? 2 : 1
    const kept = isAfterOrdinary && code === 0xfe0f ? emojiSelectorAt(text, at) : 0
    const isMark =
      isOrdinaryMark(text, at, code, marks) && (isUsual || isUsualSpelling(text.slice(letterAt, at + width)))
    if (kept > 0 || isMark) {
      at += kept || width
      marks = kept > 0 ? -1 : marks + 1
      isAfterOrdinary = false
      continue
    }
    const count = runLength(text, at, code, width)
    const longestRun = LONGEST_RUN[code]
    if (longestRun === undefined) {
      writeOut(BRACKETS.has(code) ? 'spelled' : 'escape', code, width, count)
    } else if ((code !== SPACE && !keepLines) || (code === TAB && !keepTabs) || at >= endBlanks) {
      writeOut('spelled', code, 1, count)
    } else if (count > longestRun) {
      // The last line break of a long run is left for the next round, so that what follows begins on a new line.
      writeOut('spelled', code, 1, code === LINE_BREAK ? count - 1 : count)
    } else {
      at += count
      marks = -1
      isAfterOrdinary = false
    }
  }
  flush()
}

/** Text that is known to be safe, or made of our own words. */
function ofText(text: string): VisibleText {
  return { text, spans: text === '' ? [] : [{ kind: 'text', text }] }
}

export function ofSpans(spans: Span[]): VisibleText {
  let text = ''
  for (const span of spans) text += span.text
  return { text, spans }
}

/** `from` is where the part stands in the text. */
function writeWords(part: string, from: number, context: ScriptContext, write: Write): void {
  let at = 0
  const writePlain = (until: number): void => {
    if (until > at) write({ kind: 'text', text: part.slice(at, until) }, from + at, from + until)
  }
  for (const { start, end, name } of findLookAlikes(part, context)) {
    writePlain(start)
    const word = {
      kind: 'mixed-script',
      text: `${part.slice(start, end)}${OPENING_BRACKET}${name}${CLOSING_BRACKET}`,
      name,
    } as const
    write(word, from + start, from + end)
    at = end
  }
  writePlain(part.length)
}

/** How many characters of a rightly used emoji selector stand here: 0, the selector, or it and a keycap. */
function emojiSelectorAt(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - 2), at)
  if (ENDS_IN_TEXT_EMOJI.test(before)) return 1
  return KEYCAP_BASE.test(before) && text[at + 1] === '\u20e3' ? 2 : 0
}

/**
 * A combining mark stays on a letter, four at most. On anything else it could strike out or blend into what it
 * stands on, our own notation included; overlays, and a dot on a letter that has one, do so on letters too.
 */
function isOrdinaryMark(text: string, at: number, code: number, marks: number): boolean {
  if (marks < 0 || marks >= MOST_MARKS) return false
  const mark = String.fromCodePoint(code)
  if (!MARK.test(mark)) return false
  return !(code === 0x307 && SOFT_DOTTED.test(text.slice(at - 1 - marks, at)))
}

/** Where the blanks begin that the text ends in. A carriage return is written out anyway, and what is before it may not be. */
function blanksAtEnd(text: string): number {
  let at = text.length
  while (at > 0 && BLANKS.has(text.charCodeAt(at - 1))) at--
  return at
}

function runLength(text: string, at: number, code: number, width: number): number {
  let end = at + width
  while (end < text.length && text.codePointAt(end) === code) end += width
  return (end - at) / width
}

const SPACE = 0x20
const TAB = 0x09
const LINE_BREAK = 0x0a
const MOST_MARKS = 4
const BLANKS: ReadonlySet<number> = new Set([SPACE, TAB, 0x0d])

/** Longer runs of blanks push what follows out of sight. No indentation is that deep. */
const LONGEST_RUN: Readonly<Record<number, number>> = { [SPACE]: 64, [LINE_BREAK]: 16, [TAB]: 16 }
const LONG_BLANKS = / {65}|\n{17}|\t{17}/

/** Ours, and the brackets that are drawn like it. */
const BRACKETS: ReadonlySet<number> = new Set([0x27e8, 0x2329, 0x3008, 0x276c, 0x2770, 0x29fc])

const ASCII = /^[\0-\x7f]*$/
const PLAIN_LINE = /^[\x20-\x7e]*$/
const PLAIN_BLOCK = /^[\x20-\x7e\n\t]*$/
const PLAIN_WITHOUT_TABS = /^[\x20-\x7e\n]*$/
/** All that can be seen and stands by itself, without the blanks among letters and symbols. */
const ORDINARY =
  /[[\p{L}\p{N}\p{P}\p{S}]--[\p{DI}\u2800\ufffc\u{1d159}\u{13441}\u{13442}\u27e8\u2329\u3008\u276c\u2770\u29fc]]+/vy
/** A few at a time, where each may be the last that can stay: the search begins anew after each one that can't. */
const FEW_ORDINARY = new RegExp(ORDINARY.source.replace(/\+$/, '{1,32}'), ORDINARY.flags)
const ENDS_IN_LETTER = /[\p{L}\u25cc]$/v
const ENDS_IN_TEXT_EMOJI = /[\p{Emoji}--[\p{Emoji_Presentation}\0-\x7f]]$/v
const KEYCAP_BASE = /[0-9#*]$/
const SOFT_DOTTED = /^\p{Soft_Dotted}/v
const MARK =
  /[[\p{Mn}\p{Mc}]--[\p{DI}\u0331-\u0338\u0347\u035f\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6\u20ea\u20eb\u{16fe4}]]/v
