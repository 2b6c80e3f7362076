/** The conversation itself: sends what the person says, and shows what happens in it. */
import type { WireTurnEvent } from '../../client/index.ts'
import { detailOf } from '../watch/perform.ts'
import { followPiece } from './advance-chat.ts'
import type { ChatConnection } from './chat-connection.ts'
import type { ChatDisplay } from './chat-display.ts'
import { pieceText, saidText } from './chat-screen.ts'
import type { CliChatWords } from './chat-words.ts'
import { createNarrator, type NarratedPiece } from './narrate.ts'
import { lastTurnOf } from './past-turns.ts'

export interface ChatConversation {
  say(text: string): Promise<void>
  /** Stops the turn that runs. */
  interrupt(how: 'graceful' | 'hard'): Promise<void>
  /** Shows a conversation that was there before, from its last turn on. */
  goOn(): Promise<void>
  /** Whether there is anything to come back to. */
  hasBegun(): boolean
  /** Resolves when no event is on its way any more. */
  ended(): Promise<void>
}

export function createChatConversation(parts: {
  connection: Pick<ChatConnection, 'client' | 'session' | 'self' | 'agent' | 'found'>
  display: ChatDisplay
  words: CliChatWords
  signal: AbortSignal
  /** A call waits for this request. */
  ask(request: string): void
  /** Somebody has ended the conversation. */
  leave(): void
  fail(error: unknown): void
}): ChatConversation {
  const { connection, display, words, signal, ask, leave, fail } = parts
  const { client, session, self, agent } = connection
  const narrator = createNarrator(session, words)
  /** What was said here and is still to come back as an event. */
  const echoes: string[] = []
  const endedTurns = new Set<string>()
  let hasBegun = connection.found !== undefined
  let listening: Promise<void> | undefined

  async function listen(after: string): Promise<void> {
    for await (const event of client.conversation(session, { after, signal })) {
      display.later(() => follow(event))
    }
  }

  function follow(event: WireTurnEvent): void {
    for (const piece of narrator.tell(event)) {
      display.change((state) => followPiece(state, piece))
      show(piece)
    }
    display.refresh()
  }

  function show(piece: NarratedPiece): void {
    switch (piece.kind) {
      case 'text':
      case 'thinking':
        display.write(piece.kind, piece.delta)
        return
      case 'pause':
        display.pause()
        return
      case 'said': {
        const echo = piece.by === self ? echoes.indexOf(piece.text) : -1
        if (echo !== -1) echoes.splice(echo, 1)
        else display.print(`\n${saidText(piece.text, piece.by === self ? '' : piece.by, display.options())}`)
        return
      }
      case 'waiting':
        ask(piece.request)
        return
      case 'begun':
        return
      case 'over':
        endedTurns.add(piece.turn)
        if (piece.status !== 'terminated') return
        display.print(words.over)
        hasBegun = false
        leave()
        return
      default:
        display.print(pieceText(piece, display.options()))
    }
  }

  return {
    async say(text) {
      echoes.push(text)
      try {
        const said = await client.say(session, text, { signal, ...agent })
        hasBegun = true
        display.later(() => {
          display.change((state) => ({
            ...state,
            saying: state.saying - 1,
            turn: endedTurns.has(said.turn) ? state.turn : said.turn,
          }))
          display.refresh()
        })
        listening ??= listen(said.after).catch(fail)
      } catch (error) {
        display.later(() => {
          echoes.splice(echoes.indexOf(text), 1)
          display.change((state) => ({
            ...state,
            saying: state.saying - 1,
            typed: state.typed === '' ? text : state.typed,
          }))
          display.warn(words.notSaid(detailOf(error)))
          display.refresh()
        })
      }
    },
    async interrupt(how) {
      try {
        const { interrupted } = await client.stopSession(session, { how }, { signal })
        if (interrupted === false) display.warn(words.nothingRuns)
      } catch (error) {
        display.warn(detailOf(error))
      }
    },
    async goOn() {
      try {
        const after = await lastTurnOf(client, session, signal)
        if (after === undefined) return
        display.later(() => display.remark(words.goesOn))
        listening ??= listen(after).catch(fail)
      } catch (error) {
        fail(error)
      }
    },
    hasBegun: () => hasBegun,
    async ended() {
      await listening
    },
  }
}
