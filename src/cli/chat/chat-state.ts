/** What `chat` knows of the one who sits there, what they can do, and what it then wants shown and done. Plain data. */
import type { InterruptionKind } from '../../core/conversation.ts'
import type { InboxLink } from '../output/inbox-link.ts'
import {
  initialState,
  type WatchAction,
  type WatchKey,
  type WatchOutput,
  type WatchState,
} from '../watch/watch-state.ts'
import type { WatchWords } from '../watch/watch-words.ts'
import type { CliChatWords } from './chat-words.ts'

export interface ChatState {
  /** The requests of this conversation. While one is on the screen, it has the keys. */
  readonly watch: WatchState
  /** The message that is being written. */
  readonly typed: string
  readonly turn: string | undefined
  /** Messages that are on their way. */
  readonly saying: number
  /** How often Ctrl-C was pressed in this turn. */
  readonly presses: number
  /** Requests of this conversation that nobody has answered yet, as far as we heard. */
  readonly waiting: ReadonlySet<string>
}

export type ChatKey = WatchKey | { kind: 'leave' } | { kind: 'erase_word' } | { kind: 'paste'; text: string }

export type ChatOutput = WatchOutput | { kind: 'said'; text: string } | { kind: 'chat_help' }

export type ChatAction =
  | WatchAction
  | { kind: 'say'; text: string }
  | { kind: 'interrupt'; how: InterruptionKind }
  /** What waits is asked for again. */
  | { kind: 'list' }
  | { kind: 'leave' }

export interface ChatStep {
  state: ChatState
  outputs: ChatOutput[]
  actions: ChatAction[]
}

export interface ChatSessionWords {
  chat: CliChatWords
  watch: WatchWords
}

export function initialChatState(self: string, inbox: InboxLink): ChatState {
  return {
    watch: { ...initialState(self, inbox), isIdle: true },
    typed: '',
    turn: undefined,
    saying: 0,
    presses: 0,
    waiting: new Set(),
  }
}

export function isRunning({ turn, saying }: ChatState): boolean {
  return turn !== undefined || saying > 0
}

/** Requests that were skipped and still wait. */
export function skipped({ waiting, watch }: ChatState): string[] {
  return [...waiting].filter((id) => watch.settled.has(id))
}
