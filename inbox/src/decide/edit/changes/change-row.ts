/** One line of what an edit changes, with what can't be seen written out, and with what is different in it told apart. */
import { leftOutMark, makeVisibleWithin, shorten } from '../../../../../src/display/text/shorten.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { commonHead, commonTail } from './narrow-texts.ts'

export interface ChangeRow {
  kind: 'same' | 'removed' | 'added' | 'gap'
  /** What is the same before and after, and between them what is not. */
  head: string
  changed: string
  tail: string
}

const MOST_IN_LINE = 2000
/** Longer lines are shortened before they are made visible, as that takes its time. */
const HUGE_LINE = 20_000
const LONGEST_WORD = 100

export function sameRow(text: string): ChangeRow {
  return { kind: 'same', head: writtenOut(text), changed: '', tail: '' }
}

/** `beside`: the line that it was, or has become. */
export function changeRow(kind: 'removed' | 'added', text: string, beside: string | undefined): ChangeRow {
  if (beside === undefined) return { kind, head: '', changed: writtenOut(text), tail: '' }
  const isHuge = Math.max(text.length, beside.length) > HUGE_LINE
  const [line, other] = isHuge ? [text, beside] : [visible(text), visible(beside)]
  const write = isHuge ? writtenOut : within
  const head = commonHead(line, other)
  const end = line.length - commonTail(line, other, head)
  // A word of letters from two alphabets is only known as such as a whole.
  const [from, to] = isHuge ? [wordStart(line, head), wordEnd(line, end)] : [head, end]
  // Each part by itself, so that what differs is never what is left out.
  return {
    kind,
    head: write(line.slice(0, from)),
    changed: write(line.slice(from, to)),
    tail: write(line.slice(to)),
  }
}

function writtenOut(text: string): string {
  return text.length > HUGE_LINE ? makeVisibleWithin(text, MOST_IN_LINE).value.text : within(visible(text))
}

function within(text: string): string {
  const { head, tail, leftOut } = shorten(text, MOST_IN_LINE)
  return leftOut === 0 ? text : `${head}${leftOutMark(leftOut)}${tail}`
}

function wordStart(text: string, from: number): number {
  const word = /[\p{L}\p{M}]*$/u.exec(text.slice(Math.max(0, from - LONGEST_WORD), from))?.[0] ?? ''
  return from - word.length
}

function wordEnd(text: string, from: number): number {
  return from + (/^[\p{L}\p{M}]*/u.exec(text.slice(from, from + LONGEST_WORD))?.[0].length ?? 0)
}
