/**
 * Honest shortening (P9): what is too long keeps its beginning and its end, and a mark between them says how much
 * was left out. The whole value stays at hand. Lengths are counted in characters as people count them, so a
 * character outside the basic plane is one and is never split.
 */
import type { LeftOut, Span, VisibleText } from '../../core/rendering.ts'
import { CLOSING_BRACKET, makeVisible, OPENING_BRACKET, ofSpans, type VisibleOptions } from './visible.ts'

export interface Shortened {
  head: string
  tail: string
  /** How many characters stand between head and tail; 0 when nothing was left out. */
  leftOut: number
  full: string
}

export function shorten(full: string, limit: number): Shortened {
  if (full.length <= limit) return { head: full, tail: '', leftOut: 0, full }
  const [headEnd, tailStart] = cutsFor(full, limit)
  return {
    head: full.slice(0, headEnd),
    tail: full.slice(tailStart),
    leftOut: countCharacters(full, headEnd, tailStart),
    full,
  }
}

/** Where the head ends and the tail starts. Two thirds go to the head, where most of what matters is. */
export function cutsFor(full: string, limit: number): [headEnd: number, tailStart: number] {
  const head = Math.ceil((Math.max(0, limit) * 2) / 3)
  const tail = Math.max(0, Math.floor(limit) - head)
  const headEnd = splitsPair(full, head) ? head - 1 : head
  const tailStart = full.length - tail
  return [headEnd, splitsPair(full, tailStart) ? tailStart + 1 : tailStart]
}

export function countCharacters(text: string, from = 0, to = text.length): number {
  let count = to - from
  // Most texts have none, which is seen at once.
  if (!FIRST_HALF.test(text)) return count
  for (let index = from + 1; index < to; index++) if (splitsPair(text, index)) count--
  return count
}

/** `12,345 characters`: the same on every machine, whatever its language. */
export function leftOutMark(count: number, what = 'character'): string {
  return `${OPENING_BRACKET}… ${groupDigits(count)} ${what}${count === 1 ? '' : 's'} left out${CLOSING_BRACKET}`
}

export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Shortens first and makes visible then, so that a long value costs no more than what is shown of it. */
export function makeVisibleWithin(
  full: string,
  limit: number,
  options?: VisibleOptions,
): { value: VisibleText; shortened?: LeftOut } {
  const { head, tail, leftOut } = shorten(full, limit)
  const value = makeVisible(head, options)
  if (leftOut === 0) return { value }
  return {
    value: ofSpans([...value.spans, leftOutSpan(leftOut), ...makeVisible(tail, options).spans]),
    shortened: { leftOut, total: countCharacters(full) },
  }
}

export function leftOutSpan(count: number, what?: string): Span {
  return { kind: 'left-out', text: leftOutMark(count, what) }
}

const FIRST_HALF = /[\ud800-\udbff]/

function splitsPair(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
