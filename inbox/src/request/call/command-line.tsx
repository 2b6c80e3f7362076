import { useEffect, useRef, useState } from 'preact/hooks'
import type { WireCommandLine, WireLinePiece } from '../../../../src/client/index.ts'
import { type FoldLimits, fold } from '../../components/text/fold.ts'
import { FoldMark } from '../../components/text/folded-spans.tsx'
import { isolateRightToLeft } from '../../components/text/isolate-right-to-left.tsx'
import { MarkedSpan, Spans } from '../../components/text/spans.tsx'
import { useOwnWords } from '../../context/context.ts'
import { REQUEST_WORDS } from '../words/words.ts'
import { type LineRun, lineRuns, markOf } from './line-runs.ts'

export interface CommandLineProps {
  line: WireCommandLine
  room: FoldLimits
  /** Begins the ids of the rows of the list that says what the policy says of each command. */
  id: string
  chosen: number | undefined
  choose(command: number): void
}

/**
 * A shell line. Each command has the colour, the sign and the underline of its verdict; tapping one, or walking to it with
 * the arrow keys, shows in its list what the policy said of it.
 */
export function CommandLine({ line, room, id, chosen, choose }: CommandLineProps) {
  const words = useOwnWords(REQUEST_WORDS).line
  const pre = useRef<HTMLPreElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [tapped, tap] = useState(0)
  useEffect(() => {
    if (tapped > 0) document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [tapped])

  const folded = isOpen ? undefined : fold(line.pieces, room)
  const seen = new Set<number>()
  const head = lineRuns(folded?.head ?? line.pieces, seen)
  const tail = folded === undefined ? [] : lineRuns(folded.tail, seen)
  const entry = chosen ?? head.find(({ isFirst }) => isFirst)?.command

  const commandAt = (target: EventTarget | null) => {
    const run = target instanceof Element ? target.closest<HTMLElement>('[data-command]') : null
    return run?.dataset.command === undefined ? undefined : Number(run.dataset.command)
  }
  const show = (event: Event) => {
    const command = commandAt(event.target)
    if (command === undefined) return
    choose(command)
    tap((times) => times + 1)
  }
  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') show(event)
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0 && event.key !== ' ') return
    event.preventDefault()
    const stops = [...(pre.current?.querySelectorAll<HTMLElement>('[data-command][tabindex]') ?? [])]
    const at = stops.findIndex((stop) => stop.matches(':focus'))
    if (step !== 0) stops[Math.min(stops.length - 1, Math.max(0, at + step))]?.focus()
  }
  const runs = (all: LineRun[]) =>
    all.map((run, index) => (
      <Run
        key={index}
        run={run}
        line={line}
        id={id}
        isChosen={run.command !== undefined && run.command === chosen}
        isEntry={run.command === entry}
      />
    ))
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no form; its commands are the buttons.
    <pre
      ref={pre}
      class="call shell"
      dir="ltr"
      role="group"
      aria-label={line.commands.length > 1 ? `${words.label}. ${words.walk}` : words.label}
      onClick={show}
      onKeyDown={walk}
      onFocusIn={(event) => {
        const command = commandAt(event.target)
        if (command !== undefined) choose(command)
      }}
    >
      {runs(head)}
      {folded === undefined ? null : <FoldMark {...folded} open={() => setOpen(true)} />}
      <Spans spans={folded?.leftOut ?? []} />
      {runs(tail)}
    </pre>
  )
}

interface RunProps {
  run: LineRun
  line: WireCommandLine
  id: string
  isChosen: boolean
  /** Tab comes here; from here on the arrow keys go. */
  isEntry: boolean
}

function Run({ run: { command, pieces, isFirst }, line, id, isChosen, isEntry }: RunProps) {
  const words = useOwnWords(REQUEST_WORDS).line
  const made = command === undefined ? undefined : line.commands[command]
  const verdict = made === undefined ? undefined : markOf(made)
  const text = pieces.map((piece, index) => <Piece key={index} piece={piece} line={line} />)
  if (verdict === undefined) return <>{text}</>
  const name = `command is-${verdict}${isChosen ? ' is-chosen' : ''}`
  if (!isFirst) {
    return (
      <span class={name} data-command={command}>
        {text}
      </span>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button can't go on over several lines as a part of the text.
    <span
      class={`${name} is-first`}
      data-command={command}
      role="button"
      tabIndex={isEntry ? 0 : -1}
      aria-describedby={`${id}-${command}`}
    >
      <span class="unseen">{words.verdict[verdict]}: </span>
      {text}
    </span>
  )
}

function Piece({ piece, line }: { piece: WireLinePiece; line: WireCommandLine }) {
  const words = useOwnWords(REQUEST_WORDS).line
  const shown = piece.kind === 'text' ? isolateRightToLeft(piece.text) : <MarkedSpan span={piece} />
  const doubt = piece.doubt === undefined ? undefined : line.doubts[piece.doubt]
  if (doubt === undefined) return <>{shown}</>
  return (
    <span class="doubt" title={words.doubt(doubt.because)}>
      {shown}
    </span>
  )
}
