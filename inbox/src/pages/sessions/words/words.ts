/** What the page of coding sessions says, in English and Chinese. */
import { translatedWords } from '../../../words/translated-words.ts'
import type { BoardChoice } from '../model/session-board.ts'
import { SESSIONS_CHINESE } from './chinese.ts'
import { SESSIONS_ENGLISH } from './english.ts'

export interface SessionsWords {
  about: string
  show: string
  shown: Record<BoardChoice, string>
  nothing: Record<BoardChoice, string>
  /** There are none at this server: what they are, and how to have them. */
  absent: { title: string; explain: string; steps: readonly string[]; example: string; then: string }
  lost: string
  /** A session in which nobody has said anything. */
  untitled: string
  owner(who: string): string
  lasting(ms: number): string
  doing: {
    tool: string
    thinking: string
    nothing: string
    unknown: string
    /** How the last turn ended, and when. */
    over(status: string, when: string): string
    asleep: string
    closed: string
    ended: string
  }
  /** Its reason, in its own words, follows. */
  reason: string
  /** Between an action's name and what it does. */
  colon: string
  said: string
  saidCut: string
  calls(count: number): string
  noCalls: string
  waiting: {
    title(count: number, waitsFor: 'approval' | 'answer'): string
    since(lasting: string): string
    look: string
    open: string
    sheet: string
    close: string
  }
  used: {
    title: string
    turns(used: number, limit: number | undefined): string
    worked(used: string, limit: string | undefined): string
    cost(used: number, limit: number | undefined): string
  }
  actions: {
    title: string
    message: string
    noMessage: string
    stopping: string
    closeConfirm: string
    open: string
  }
  fresh: {
    button: string
    title: string
    folder: string
    folderHint: string
    otherFolder: string
    path: string
    pathHint: string
    message: string
    messageHint: string
    mode: string
    start: string
    startIn(mode: string): string
    cancel: string
  }
  opened: { back: string; facts: string; missing: string }
}

export const SESSIONS_WORDS = translatedWords(SESSIONS_ENGLISH, SESSIONS_CHINESE)
