/** What the chat says, in English and Chinese. */
import type { InterruptionKind } from '../../../../../src/core/conversation.ts'
import type { Mode } from '../../../../../src/core/session.ts'
import { translatedWords } from '../../../words/translated-words.ts'
import type { FailedAction } from '../model/session-controls.ts'
import type { LooseMode } from '../model/session-modes.ts'
import type { CallStage, TurnUsage } from '../model/transcript-items.ts'
import { CHAT_CHINESE } from './chinese.ts'
import { CHAT_ENGLISH } from './english.ts'

export interface ChatPageWords {
  title: string
  list: string
  fresh: string
  freshButton: string
  none: string
  older: string
  waiting(count: number): string
  choose: string
  back: string
  noAgent: { title: string; explain: string; steps: readonly string[] }
  agent(name: string, model: string, tools: number): string
  begin: string
  erased: string
  transcript: string
  newBelow: string
  lost: string
  you: string
  steering: string
  resumed: string
  thinking: string
  thoughts: string
  asked: string
  cut: string
  gap: string
  retry(seconds: number, attempt: number, of: number): string
  stage: Record<CallStage, string>
  seconds(ms: number): string
  result: string
  resultLines(count: number): string
  arguments: string
  unreadable: string
  answeredBy(who: string): string
  refusedBy(who: string): string
  replacedBy(hook: string): string
  openRequest: string
  helper: string
  helperWork: string
  helperGone: string
  usage(usage: TurnUsage, steps: number): string
  turnEnded(status: string): string
  interrupted(who: string, how: InterruptionKind): string
  failed(stage: string): string
  barred(who: string): string
  shownBy(tool: string): string
  box: {
    agent: string
    label: string
    placeholder: string
    hint: string
    send: string
    /** While a turn runs: see `whenBusy` of the message box. */
    busy: Record<
      'steer' | 'interrupt',
      { placeholder: string; hint(waitsFor: 'approval' | 'answer' | undefined): string; send: string }
    >
    over: string
  }
  stop: { graceful: string; hard: string; about(effect: string): string }
  mishap: Record<FailedAction['what'], string>
  maybeSent: string
  session: {
    open(mode: string): string
    title: string
    asPolicy: string
    noneOfItsOwn: string
    mode: string
    current: string
    notAllowed: string
    notYours: string
    setBy(who: string, when: string): string
    modes: Record<Mode, string>
    names: Record<Mode, string>
    sure: Record<LooseMode, string>
    confirm(mode: string): string
    cancel: string
    close: string
    endSure: string
    endedBy(who: string, when: string): string
  }
}

export const CHAT_WORDS = translatedWords(CHAT_ENGLISH, CHAT_CHINESE)
