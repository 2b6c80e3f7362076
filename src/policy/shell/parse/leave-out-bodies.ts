/**
 * A line that writes a whole file by a here-document is long and yet simple: nothing in a body whose mark is quoted
 * means anything to a shell. Where a line is too long to be parsed, such bodies are left out of what the parser is given.
 *
 * They are found by how they look, and that may be wrong: the mark may stand in a remark or in quotes. So whoever reads
 * the tree has to find a here-document with no body at each of these places. Where one is not found, something else was
 * left out, and the line is too long to be checked after all.
 */
import { LineTooLong } from '../../steps.ts'
import type { RedirectionNode } from './parse.ts'

export interface ShortenedLine {
  readonly text: string
  /** The place in the whole line. */
  placeOf(position: number): number
  /** To be called with each here-document of the tree. Whether its body was left out. */
  meet(node: RedirectionNode): boolean
  /** Throws unless all that was left out was met. */
  checkAllMet(): void
}

/** `<<'EOF'`, `<<-"EOF"`. One with anything odd in its mark is left as it is. */
const MARK = /<<(-?)[ \t]*(?:'([\w.-]+)'|"([\w.-]+)")/g

interface BodyCut {
  /** Where the here-document begins, and where its closing line does, in the shortened text. */
  readonly mark: number
  readonly closing: number
  /** How many characters were left out before the closing line, over all cuts so far. */
  readonly missing: number
}

export function leaveOutBodies(line: string): ShortenedLine {
  const cuts: BodyCut[] = []
  let text = ''
  let kept = 0
  let missing = 0
  MARK.lastIndex = 0
  for (let match = MARK.exec(line); match !== null; match = MARK.exec(line)) {
    const lineEnd = line.indexOf('\n', match.index)
    if (lineEnd === -1) break
    const closing = findClosing(line, lineEnd, match[2] ?? match[3] ?? '', match[1] === '-')
    if (closing === undefined) break
    const mark = match.index - missing
    text += line.slice(kept, lineEnd + 1)
    missing += closing - (lineEnd + 1)
    cuts.push({ mark, closing: text.length, missing })
    kept = closing
    MARK.lastIndex = closing
  }
  text += line.slice(kept)
  const unmet = new Map(cuts.map((cut) => [cut.mark, cut]))
  return {
    text,
    placeOf(position) {
      const cut = cuts.findLast(({ closing }) => closing <= position)
      return position + (cut?.missing ?? 0)
    },
    meet(node) {
      if (node.type !== 'HereDoc') return false
      const cut = unmet.get(node.pos) ?? unmet.get(node.descriptor?.end ?? -1)
      if (cut === undefined) return false
      const tabs = node.operator === '<<-' ? /^\t*$/ : /^$/
      const { closing, delimiter, body } = node
      const isTheSame =
        delimiter?.quoted === true &&
        body.text === '' &&
        closing !== undefined &&
        closing.pos >= cut.closing &&
        tabs.test(text.slice(cut.closing, closing.pos))
      if (isTheSame) unmet.delete(cut.mark)
      return isTheSame
    },
    checkAllMet() {
      if (unmet.size > 0) throw new LineTooLong('parsed')
    },
  }
}

/** Where the first line begins that is the mark alone. */
function findClosing(line: string, from: number, mark: string, mayBeIndented: boolean): number | undefined {
  for (let at = line.indexOf(mark, from); at !== -1; at = line.indexOf(mark, at + mark.length)) {
    const end = at + mark.length
    if (end < line.length && line.charAt(end) !== '\n') continue
    let start = at
    if (mayBeIndented) while (line.charAt(start - 1) === '\t') start--
    if (line.charAt(start - 1) === '\n') return start
  }
  return undefined
}
