/**
 * Whether the text of a rendering has a mark in the place of a part of some argument: then who reads it has not seen the whole call (P9).
 * Lines that a change leaves as they are, and what a tool says of itself, are no such part.
 */
import { CLOSING_BRACKET, OPENING_BRACKET } from './text/visible.ts'
import { TOOL_DESCRIPTION } from './words/tool-description.ts'

export function leavesOut(text: string): boolean {
  return text.split('\n').some((line) => MARK.test(line) && !DESCRIPTIONS.some((one) => line.startsWith(one)))
}

/** The bracket is ours: that of a text from outside is spelled out. */
const MARK = new RegExp(`${OPENING_BRACKET}… [0-9,]+ (?:character|line)s? left out${CLOSING_BRACKET}`)
const DESCRIPTIONS = Object.values(TOOL_DESCRIPTION).map((label) => `${label}: `)
