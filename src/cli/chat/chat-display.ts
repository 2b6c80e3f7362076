/**
 * What a chat shows, and the state it shows. Everything is drawn in the order in which it happens: at once, or, while an
 * editor has the terminal, as soon as the editor gives it back.
 */
import type { Context } from '../command-line/command.ts'
import { wrapWords } from '../output/fit-to-width.ts'
import { rendered } from '../output/safe-text.ts'
import type { ScreenOptions } from '../watch/watch-screen.ts'
import { PASTE_MARKS_OFF, PASTE_MARKS_ON } from './chat-keys.ts'
import { type ChatScreen, chatPrompt, createChatScreen } from './chat-screen.ts'
import type { ChatState } from './chat-state.ts'

export interface ChatDisplay extends Pick<ChatScreen, 'print' | 'write' | 'pause' | 'refresh'> {
  state(): ChatState
  /** Changes the state. What is drawn of it changes with the next `refresh`. */
  change(to: (state: ChatState) => ChatState): void
  /** Everything that draws goes through here. Nothing is drawn after the chat has ended. */
  later(work: () => void): void
  warn(text: string): void
  /** Prints a remark of ours. */
  remark(text: string): void
  options(): ScreenOptions
  /** Gives the terminal to another program while it works. */
  lend<T>(work: () => Promise<T>): Promise<T>
  open(): void
  close(): void
}

const DEFAULT_COLUMNS = 80

export function createChatDisplay(
  { terminal }: Pick<Context, 'terminal'>,
  initial: ChatState,
  signal: AbortSignal,
): ChatDisplay {
  const { locale, paint } = terminal
  let state = initial
  /** What happened while another program has the terminal. */
  let postponed: (() => void)[] | undefined

  const send = (text: string) => void process.stdout.write(text)
  const columns = () => terminal.columns ?? DEFAULT_COLUMNS
  const options = (): ScreenOptions => ({ locale, paint, columns: columns(), now: Date.now() })
  const screen = createChatScreen({ send, columns, paint, prompt: () => chatPrompt(state, options()) })
  const { print, write, pause, refresh } = screen

  function later(work: () => void): void {
    if (postponed !== undefined) postponed.push(work)
    else if (!signal.aborted) work()
  }

  const inColour = (colour: 'yellow' | 'dim', text: string) =>
    wrapWords(text, columns())
      .map((line) => paint(colour, line))
      .join('\n')

  function giveAway(): void {
    pause()
    screen.clear()
    send(PASTE_MARKS_OFF)
  }

  return {
    print,
    write,
    pause,
    refresh,
    state: () => state,
    change(to) {
      state = to(state)
    },
    later,
    warn: (text) => later(() => print(inColour('yellow', `! ${rendered(text).replaceAll('\n', ' ')}`))),
    remark: (text) => print(inColour('dim', text)),
    options,
    async lend(work) {
      postponed = []
      giveAway()
      const result = await work()
      send(PASTE_MARKS_ON)
      const waiting = postponed
      postponed = undefined
      for (const each of waiting) each()
      return result
    },
    open() {
      send(PASTE_MARKS_ON)
      process.stdout.on('resize', refresh)
    },
    close() {
      process.stdout.off('resize', refresh)
      giveAway()
    },
  }
}
