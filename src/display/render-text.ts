/**
 * A rendering as plain text, for terminals and chats.
 *
 * Lines of a tool's text stand behind a bar, and so do the lines that a long one is broken into when a width is
 * given: wherever a line of ours begins, nothing else can. Colours are our own and only on request; a tool's
 * text has no escape characters left by now.
 */
import type { Block, DiffRow, Span, SpanKind } from '../core/rendering.ts'
import type { Rendering } from './rendering.ts'
import { type Locale, renderingWords } from './words/rendering-words.ts'

export interface TextOptions {
  /** Columns. Without it lines are not broken; a terminal that breaks them itself does so without our bar. */
  width?: number | undefined
  color?: boolean | undefined
  locale?: Locale | undefined
}

export function renderText(rendering: Rendering, options: TextOptions = {}): string {
  const out: string[] = []
  const write = (prefix: StyledText[], pieces: StyledText[], continued: string): void => {
    for (const line of breakLine([...prefix, ...pieces], continued, options)) out.push(line)
  }
  const words = renderingWords(options.locale)
  if (rendering.tool !== '')
    write([{ text: words.tool, style: 'cyan' }], [{ text: rendering.tool, style: 'bold' }], CONTINUED)
  for (const warning of rendering.warnings) write([], sentence(`! ${warning}`, 'yellow'), CONTINUED)
  for (const { label, value } of rendering.fields) {
    write([{ text: `${label}: `, style: 'cyan' }], value.spans.map(styled), CONTINUED)
  }
  for (const block of rendering.blocks) {
    write([], [{ text: `${block.label}:`, style: 'cyan' }], CONTINUED)
    for (const { bar, pieces } of blockLines(block, options))
      write([{ text: bar, style: 'dim' }], pieces, BROKEN)
  }
  return out.join('\n')
}

/** How a line goes on: a field or a sentence of ours, and a line of a block. */
const CONTINUED = '    '
const BROKEN = '  ┆ '

type RenderedStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan' | 'reverse'

interface StyledText {
  text: string
  style?: RenderedStyle | undefined
  /** Goes to the next line rather than being broken, if it fits there. */
  isWhole?: boolean
}

const CODES: Readonly<Record<RenderedStyle, number>> = {
  bold: 1,
  dim: 2,
  reverse: 7,
  red: 31,
  green: 32,
  yellow: 33,
  magenta: 35,
  cyan: 36,
}

const SPAN_STYLES: Readonly<Record<SpanKind, RenderedStyle | undefined>> = {
  text: undefined,
  escape: 'reverse',
  spelled: 'dim',
  'mixed-script': 'magenta',
  mask: 'yellow',
  'left-out': 'yellow',
}

function styled({ text, kind }: Span): StyledText {
  return { text, style: SPAN_STYLES[kind], isWhole: kind !== 'text' }
}

/** A sentence of ours, which is broken between words. */
function sentence(text: string, style: RenderedStyle): StyledText[] {
  return text.split(/(?<= )/).map((word) => ({ text: word, style, isWhole: true }))
}

function blockLines(block: Block, options: TextOptions): { bar: string; pieces: StyledText[] }[] {
  if (block.kind === 'diff') {
    const digits = block.rows.reduce((most, row) => Math.max(most, String(lineNumber(row) ?? '').length), 1)
    return block.rows.map((row) => diffLine(row, digits, options.locale))
  }
  const lines: StyledText[][] = [[]]
  for (const span of block.value.spans) {
    const piece = styled(span)
    span.text.split('\n').forEach((text, index) => {
      if (index > 0) lines.push([])
      lines.at(-1)!.push({ ...piece, text })
    })
  }
  return lines.map((pieces) => ({ bar: '  │ ', pieces }))
}

function diffLine(
  row: DiffRow,
  digits: number,
  locale: Locale | undefined,
): { bar: string; pieces: StyledText[] } {
  const number = String(lineNumber(row) ?? '').padStart(digits)
  if (!('value' in row)) return { bar: `  │ ${number}   `, pieces: [{ text: row.text, style: 'dim' }] }
  const { sign, style } = SIGNS[row.kind]
  const pieces: StyledText[] = [{ text: `${sign} `, style }]
  for (const piece of row.value.spans.map(styled)) pieces.push({ ...piece, style: piece.style ?? style })
  // In brackets like every word of ours inside a tool's text.
  if (row.isUnterminated) pieces.push({ text: `⟨${renderingWords(locale).unterminated}⟩`, style: 'dim' })
  return { bar: `  │ ${number} `, pieces }
}

const SIGNS: Readonly<Record<'same' | 'removed' | 'added', { sign: string; style?: RenderedStyle }>> = {
  same: { sign: ' ' },
  removed: { sign: '-', style: 'red' },
  added: { sign: '+', style: 'green' },
}

function lineNumber(row: DiffRow): number | undefined {
  if (!('value' in row)) return undefined
  return row.newLine ?? row.oldLine
}

function breakLine(pieces: StyledText[], continued: string, { width, color }: TextOptions): string[] {
  if (width === undefined) return [pieces.map(({ text, style }) => paint(text, style, color)).join('')]
  const columns = Math.max(width, NARROWEST)
  const lines: string[] = []
  let line = ''
  let used = 0
  const breakHere = (): void => {
    lines.push(line)
    line = paint(continued, 'dim', color)
    used = continued.length
  }
  for (const { text, style, isWhole } of pieces) {
    const characters = [...text].map((character) => ({ character, columns: widthOf(character) }))
    if (isWhole && used > continued.length) {
      const whole = characters.reduce((sum, one) => sum + one.columns, 0)
      if (used + whole > columns && whole <= columns - continued.length) breakHere()
    }
    let run = ''
    for (const one of characters) {
      if (used + one.columns > columns) {
        line += paint(run, style, color)
        run = ''
        breakHere()
      }
      run += one.character
      used += one.columns
    }
    line += paint(run, style, color)
  }
  return [...lines, line]
}

function paint(text: string, style: RenderedStyle | undefined, color: boolean | undefined): string {
  return color && style !== undefined && text !== '' ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text
}

const NARROWEST = 20

/** Never less than a terminal takes: a line that is broken too early is still behind its bar. */
export function widthOf(character: string): number {
  if (character === '\t') return 8
  if (/^[\x20-\x7e]$/.test(character)) return 1
  if (/^(?:\p{Mn}|\ufe0f)$/u.test(character)) return 0
  return /^[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}│┆⟨⟩…×→−]$/u.test(character) ? 1 : 2
}
