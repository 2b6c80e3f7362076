import { translatedWords } from '../../words/translated-words.ts'
import type { GrantDuration, GrantReach } from '../grant/grant-draft.ts'
import type { SnoozeTime } from '../next/snooze-times.ts'
import { DECIDE_CHINESE } from './chinese.ts'
import { DECIDE_ENGLISH } from './english.ts'

export interface DecideWords {
  title: string
  notYours: string
  reloading: string
  back: string
  again: string
  notLoaded: string
  /** Why it can't be approved yet, or not here. */
  covered: { first: string; elsewhere: string; open: string }
  snooze: { open: string; label: string; until: Record<SnoozeTime, string>; deadline: string; forNow: string }
  next: { one(left: number): string; count(left: number): string }
  /** Opens everything but Approve and Reject. */
  more: string
  /** A long action is scrolled through before it can be approved. */
  read: { first: string; on: string }
  /** Approving, and allowing more than this call. */
  remember: { open: string; title: string }
  /** What was written and not sent, once somebody else has answered. */
  unsent: string
  confirm: {
    title: string
    editTitle: string
    runs: string
    leaves(words: string): string
    haveRead: string
    approve: string
  }
  votes: {
    needed(after: number): string
    last: string
    given(missing: number): string
    yes(names: string): string
    fell(by: string): string
    narrowest: string
  }
  reject: {
    label: string
    hint: string
    ready: string
    reasons: readonly string[]
    /** In the hint's place, while a ready-made reason has no ending. */
    unfinished: string
    /** In place of all of it, where the agent can't be told a reason. */
    noReason: string
  }
  respond: { label: string; hint: string }
  /** The key that sends what is written. */
  sendKey: string
  terminate: {
    warning(session: string): string
    waiting(count: number): string
    started: string
  }
  /** How far an approval goes. */
  grant: {
    exact: string
    span: Record<'once' | GrantReach, string>
    times(uses: number | undefined): string
    duration: Record<GrantDuration, string>
    /** On the button, and in words of its own: what is left behind. */
    approve(where: GrantReach, duration: GrantDuration | '', uses: number | undefined): string
    left(where: GrantReach, duration: GrantDuration | '', uses: number | undefined): string
  }
  question: { ownAnswer: string; ownOnly: string; missing: string; several: string; one: string }
  /** What counts after a failure, by its code. */
  counts(code: string): string
  recordedBy(who: string, what: string): string
}

export const DECIDE_WORDS = translatedWords<DecideWords>(DECIDE_ENGLISH, DECIDE_CHINESE)
