/**
 * `start --watch` and `send --watch`: tells what a turn does until it ends. Its last word is the result; all else is told beside it.
 * Nothing is approved here: what waits is named, with the command that answers it. Leaving with Ctrl-C stops nothing.
 */
import { type Client, isClientError, type WireSaid } from '../../client/index.ts'
import { pieceText } from '../chat/chat-screen.ts'
import { chatWords } from '../chat/chat-words.ts'
import { createNarrator, type NarratedPiece } from '../chat/narrate.ts'
import { EXIT, type ExitCode } from '../output/failures.ts'
import { rendered, safeJson, visible, visibleLines } from '../output/safe-text.ts'
import type { Terminal } from '../output/terminal.ts'
import { watchWords } from '../watch/watch-words.ts'
import { sessionWords } from './session-words.ts'
import { untilInterrupted } from './until-interrupted.ts'

export interface TurnToFollow extends Pick<WireSaid, 'turn' | 'after'> {
  session: string
}

/** 0 where the turn completed, else 1. */
export async function followTurn(
  client: Client,
  { session, turn, after }: TurnToFollow,
  terminal: Terminal,
  format: 'text' | 'json',
): Promise<ExitCode> {
  const { locale, paint, columns } = terminal
  const narrator = createNarrator(session, chatWords(locale))
  const screen = { locale, paint, columns, now: 0 }
  /** What it said and was not told yet. */
  let said = ''

  async function show(piece: NarratedPiece, signal: AbortSignal): Promise<void> {
    if (piece.kind === 'waiting') return tellWhere(piece.request, signal)
    if (format === 'json') return
    switch (piece.kind) {
      case 'text':
        said += piece.delta
        return
      case 'over':
        said = ''
        if (piece.text !== '') terminal.print(visibleLines(piece.text))
        return
      case 'call':
      case 'good':
      case 'bad':
      case 'note':
        if (said.trim() !== '') terminal.note(visibleLines(said.trim()))
        said = ''
        terminal.note(pieceText(piece, screen))
    }
  }

  async function tellWhere(id: string, signal: AbortSignal): Promise<void> {
    try {
      const { state, kind, rendering } = await client.get(id, { signal })
      if (state !== 'pending') return
      const summary = rendered(rendering.summary).replaceAll('\n', ' ')
      const asked = { summary, id: visible(id), isQuestion: kind === 'question' }
      terminal.note(chatWords(locale).answerElsewhere(asked, undefined))
    } catch (error) {
      if (!isClientError(error, 'unknown_id')) throw error
    }
  }

  let isLost = false
  function onStatus(status: { kind: 'connected' } | { kind: 'lost'; retryInMs: number }): void {
    const { lost, connected } = watchWords(locale)
    if (status.kind === 'lost') terminal.note(lost(Math.ceil(status.retryInMs / 1000)))
    else if (isLost) terminal.note(connected)
    isLost = status.kind === 'lost'
  }

  const exit = await untilInterrupted(async (signal): Promise<ExitCode | undefined> => {
    for await (const event of client.conversation(session, { after, signal, onStatus })) {
      if (format === 'json') terminal.print(safeJson(event))
      for (const piece of narrator.tell(event)) await show(piece, signal)
      if (event.kind === 'turn_ended' && event.session === session && event.turn === turn)
        return event.status === 'completed' ? EXIT.done : EXIT.failed
    }
    return undefined
  })
  if (exit !== undefined) return exit
  terminal.note(sessionWords(locale).goesOn(visible(session)))
  return EXIT.failed
}
