/**
 * The screen of a chat: lines that are done, below them the row that the agent is writing, and at the end the line at
 * which keys are typed. Only the last two are ever drawn again.
 */
import { wrapWords } from '../output/fit-to-width.ts'
import { visible, visibleLines } from '../output/safe-text.ts'
import type { Paint, TextStyle } from '../output/terminal.ts'
import { offerOf, promptLine, type ScreenOptions, showOutput, tailOf } from '../watch/watch-screen.ts'
import { type ChatOutput, type ChatState, isRunning, skipped } from './chat-state.ts'
import { chatWords } from './chat-words.ts'
import type { NarratedPiece } from './narrate.ts'
import { clip, createTextFlow, INDENT, widthOfText } from './text-flow.ts'

export interface ChatScreen {
  /** Lines that are done. */
  print(text: string): void
  /** What the agent says or thinks, as it comes. */
  write(kind: 'text' | 'thinking', delta: string): void
  /** The agent has said that. */
  pause(): void
  /** The prompt may have changed. */
  refresh(): void
  /** Takes the last lines away, for another program or for good. */
  clear(): void
}

const CLEAR_ROW = '\r\u001b[2K'
const UP_AND_CLEAR = '\u001b[1A\u001b[2K'

export function createChatScreen(options: {
  send: (text: string) => void
  columns: () => number
  paint: Paint
  /** The line at which keys are typed, as it is now. */
  prompt: () => string
}): ChatScreen {
  const { send, columns, paint } = options
  const flow = createTextFlow(columns)
  let kind: 'text' | 'thinking' = 'text'
  let prompt = ''
  let row = ''

  function draw(rows: readonly string[]): void {
    const next = flow.current()
    prompt = options.prompt()
    send(
      [
        CLEAR_ROW,
        row === '' ? '' : UP_AND_CLEAR,
        ...rows.map((each) => `${each}\n`),
        next === '' ? '' : `${dye(next)}\n`,
        prompt,
      ].join(''),
    )
    row = next
  }

  function dye(text: string): string {
    return kind === 'thinking' && text !== '' ? paint('dim', text) : text
  }

  function pause(): void {
    const rows = flow.end().map(dye)
    if (rows.length > 0 || row !== '') draw(rows)
  }

  return {
    print(text) {
      draw([...flow.end().map(dye), ...text.split('\n')])
    },
    write(of, delta) {
      if (of !== kind) pause()
      kind = of
      draw(flow.push(delta).map(dye))
    },
    pause,
    refresh() {
      if (options.prompt() !== prompt) draw([])
    },
    clear() {
      send(`${CLEAR_ROW}${row === '' ? '' : UP_AND_CLEAR}`)
      row = ''
      prompt = ''
    },
  }
}

export function showChatOutput(output: ChatOutput, state: ChatState, options: ScreenOptions): string {
  const words = chatWords(options.locale)
  switch (output.kind) {
    case 'said':
      return `\n${saidText(output.text, '', options)}`
    case 'chat_help':
      return wrapWords(words.help.join('\n'), options.columns).join('\n')
    case 'request': {
      const { request } = output
      const count = state.watch.queue.length + 1
      const isFirst = count > 1 && state.watch.current?.id === request.id && request.kind === 'approval'
      const rules = `${words.rules}: ${request.rules.map(visible).join(', ')}`
      return [
        ...(isFirst ? [`\n${options.paint('yellow', words.several(count))}`] : []),
        showOutput(output, options),
        ...(request.rules.length === 0 ? [] : wrapWords(rules, options.columns)),
      ].join('\n')
    }
    default:
      return showOutput(output, options)
  }
}

const MARKS: Readonly<Record<'call' | 'good' | 'bad' | 'note', [mark: string, style: TextStyle]>> = {
  call: ['→', 'cyan'],
  good: ['✓', 'green'],
  bad: ['✗', 'red'],
  note: ['·', 'dim'],
}

/** Results are told, and not shown whole: whoever wants that asks the agent, or looks it up. */
const MOST_LINES = 8

export function pieceText(
  piece: Extract<NarratedPiece, { kind: keyof typeof MARKS }>,
  { locale, paint, columns }: ScreenOptions,
): string {
  const [mark, style] = MARKS[piece.kind]
  const head = wrapWords(`${mark} ${piece.text}`, columns).map((line) => paint(style, line))
  const lines = (piece.more ?? '').trim() === '' ? [] : (piece.more ?? '').trimEnd().split('\n')
  const more = lines.slice(0, MOST_LINES).map((line) => `${INDENT}│ ${line.replaceAll('\t', '    ')}`)
  const left = lines.length - more.length
  if (left > 0) more.push(`${INDENT}│ ${chatWords(locale).moreLines(left)}`)
  return [
    ...head,
    ...more.flatMap((line) => wrapWords(line, columns)).map((line) => paint('dim', line)),
  ].join('\n')
}

/** Words of a person: our own, or with the name of who said them. */
export function saidText(text: string, by: string, { paint, columns }: ScreenOptions): string {
  const name = by === '' ? '' : `${visible(by)} `
  const lines = visibleLines(text)
    .split('\n')
    .map((line, index) => `${index === 0 ? `${name}› ` : INDENT}${line}`)
  return lines
    .flatMap((line) => wrapWords(line, columns))
    .map((line) => paint('bold', line))
    .join('\n')
}

/** The last line of the screen. */
export function chatPrompt(state: ChatState, options: ScreenOptions): string {
  const { paint, columns = 80 } = options
  const words = chatWords(options.locale)
  const { current } = state.watch
  if (current?.kind === 'shown' && current.mode.kind === 'reading') {
    const keys = words.keys[offerOf(current.request)]
    const more = state.watch.queue.length
    return paint('bold', clip(`${more > 0 ? `(+${more}) ` : ''}${keys}`, columns - 1))
  }
  if (current !== undefined) return promptLine(state.watch, options)
  const count = skipped(state).length
  const label = count > 0 ? words.promptWaiting(count) : isRunning(state) ? words.promptRunning : words.prompt
  return `${paint('bold', label)}${tailOf(visible(state.typed), columns - widthOfText(label) - 1)}`
}
