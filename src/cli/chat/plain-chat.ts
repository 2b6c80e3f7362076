/**
 * A chat without a person at a terminal: a message a line in, or one alone, plain text or JSON out. What the agent says is
 * the result; what it does is told beside it. Nothing can be approved here, since nobody could have read it: where it can
 * be is said, and waited for.
 */
import { createInterface } from 'node:readline'
import { isClientError, type WireTurnEvent } from '../../client/index.ts'
import type { Context } from '../command-line/command.ts'
import { EXIT, type ExitCode } from '../output/failures.ts'
import { rendered, safeJson, visible, visibleLines } from '../output/safe-text.ts'
import { detailOf } from '../watch/perform.ts'
import { watchWords } from '../watch/watch-words.ts'
import type { ChatConnection } from './chat-connection.ts'
import { pieceText } from './chat-screen.ts'
import { chatWords } from './chat-words.ts'
import { createNarrator, type NarratedPiece } from './narrate.ts'

export interface PlainOptions {
  /** The only message. Absent: each line of standard input is one. */
  once: string | undefined
  json: boolean
}

export async function plainChat(
  line: ChatConnection,
  { terminal }: Context,
  { once, json }: PlainOptions,
): Promise<ExitCode> {
  const { client, session } = line
  const { locale } = terminal
  const words = chatWords(locale)
  const narrator = createNarrator(session, words)
  const stop = new AbortController()
  const { signal } = stop
  let turn: string | undefined
  /** What the agent said and was not printed yet. */
  let said = ''
  const screen = { locale, paint: (_: unknown, text: string) => text, columns: undefined, now: 0 }

  async function take(text: string): Promise<boolean> {
    const begun = await client.say(session, text, { signal, ...line.agent })
    turn = begun.turn
    for await (const event of client.conversation(session, { after: begun.after, signal, onStatus })) {
      if (json) terminal.print(safeJson(event))
      for (const piece of narrator.tell(event)) await show(piece)
      if (isEndOf(event)) {
        turn = undefined
        return event.status === 'completed'
      }
    }
    return false
  }

  function isEndOf(event: WireTurnEvent): event is Extract<WireTurnEvent, { kind: 'turn_ended' }> {
    return event.kind === 'turn_ended' && event.session === session && event.turn === turn
  }

  async function show(piece: NarratedPiece): Promise<void> {
    if (piece.kind === 'waiting') return tellWhere(piece.request)
    if (json) return
    switch (piece.kind) {
      case 'text':
        said += piece.delta
        if (once === undefined) print(said.slice(0, said.lastIndexOf('\n') + 1))
        return
      case 'pause':
        if (once === undefined) print(`${said}\n`)
        return
      case 'over':
        if (once !== undefined && piece.text !== '') terminal.print(visibleLines(piece.text))
        said = ''
        return
      case 'call':
      case 'good':
      case 'bad':
      case 'note':
        // With one message, only its last word is the answer.
        if (said.trim() !== '') terminal.note(visibleLines(said))
        said = ''
        terminal.note(pieceText(piece, screen))
    }
  }

  /** Whole lines, which what is said then begins after. */
  function print(lines: string): void {
    said = said.slice(lines.length)
    if (lines.trim() !== '') terminal.print(visibleLines(lines.replace(/\n$/, '')))
  }

  async function tellWhere(id: string): Promise<void> {
    try {
      const { state, kind, rendering } = await client.get(id, { signal })
      if (state !== 'pending') return
      const summary = rendered(rendering.summary).replaceAll('\n', ' ')
      const asked = { summary, id: visible(id), isQuestion: kind === 'question' }
      terminal.note(words.answerElsewhere(asked, line.url))
    } catch (error) {
      if (!signal.aborted && !isClientError(error, 'unknown_id')) terminal.note(rendered(detailOf(error)))
    }
  }

  let isLost = false
  function onStatus(status: { kind: 'connected' } | { kind: 'lost'; retryInMs: number }): void {
    const { lost, connected } = watchWords(locale)
    if (status.kind === 'lost') terminal.note(lost(Math.ceil(status.retryInMs / 1000)))
    else if (isLost) terminal.note(connected)
    isLost = status.kind === 'lost'
  }

  let presses = 0
  const interrupt = () => {
    presses++
    if (turn === undefined || presses > 2) return stop.abort()
    const how = presses === 1 ? 'graceful' : 'hard'
    terminal.note(how === 'graceful' ? words.interrupting : words.stopping)
    client
      .stopSession(session, { how }, { signal })
      .catch((error) => terminal.note(rendered(detailOf(error))))
  }
  const leave = () => stop.abort()
  process.on('SIGINT', interrupt)
  for (const name of SIGNALS) process.on(name, leave)
  try {
    let isGood = true
    if (once !== undefined) isGood = await take(once)
    else {
      const lines = createInterface({ input: process.stdin, signal })
      for await (const text of lines) {
        if (text.trim() !== '') isGood = (await take(text)) && isGood
      }
    }
    return isGood && !signal.aborted ? EXIT.done : EXIT.failed
  } catch (error) {
    if (!signal.aborted) throw error
    return EXIT.failed
  } finally {
    process.off('SIGINT', interrupt)
    for (const name of SIGNALS) process.off(name, leave)
    if (turn !== undefined) {
      terminal.note(
        line.embedded === undefined ? words.stillRuns(visible(session)) : words.stopsWith(visible(session)),
      )
    }
  }
}

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const
