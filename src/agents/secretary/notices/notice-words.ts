/**
 * What the owner of a session is told in a chat, in English and Chinese. What a session said goes along as `quoted`, as it is: the channel
 * makes it visible, marks it as the session's words and lets it be no markup.
 */
import { basename } from 'node:path'
import type { TurnProgress } from '../../../core/progress.ts'
import { makeVisible } from '../../../display/text/visible.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'

/** The parts of a notice, as channels show them. */
export interface NoticeText {
  /** Before the title. */
  sign: string
  title: string
  /** Behind the title. */
  detail?: string
  quoted?: string
  /** Above what is quoted: which session said it. */
  label?: string
}

/** In the language of the channel. */
export type SayNotice = (locale: Locale) => NoticeText

const MAX_RESULT = 800
const MAX_ERROR = 500
const MAX_NAME = 60
const CUT_RESULT = '\n...[truncated]'

export interface EndedWhere {
  /** Where the session works: owners have several. */
  folder: string
  /** Who interrupted it, where that isn't its owner. */
  stoppedBy: string | undefined
}

/** Of the end of a turn. Undefined: nobody has to be told. */
export function noticeOfEnd(turn: TurnProgress, { folder, stoppedBy }: EndedWhere): SayNotice | undefined {
  const { ended, begunAt, calls } = turn
  if (ended === undefined) return undefined
  const { status, text, reason = '' } = ended
  switch (status) {
    case 'completed': {
      const seconds = Math.floor(Math.max(0, ended.at - begunAt) / 1000)
      const detail = `(${seconds}s, ${calls} tool calls)`
      const quoted = text.length > MAX_RESULT ? `${cut(text, MAX_RESULT)}${CUT_RESULT}` : text
      return (locale) => ({
        sign: '✅',
        title: WORDS[locale].completed,
        detail,
        ...quotedOf(quoted, folder, locale),
      })
    }
    case 'interrupted':
    case 'terminated':
      // Whoever stopped it knows.
      if (stoppedBy === undefined) return undefined
      return (locale) => ({
        sign: '⏹️',
        title: WORDS[locale].stopped,
        detail: WORDS[locale].stoppedBy(stoppedBy),
      })
    case 'limit':
    case 'failed':
    case 'aborted':
      return (locale) => ({
        sign: '❌',
        title: WORDS[locale].failed,
        ...quotedOf(cut(reason === '' ? text : reason, MAX_ERROR), folder, locale),
      })
  }
}

/** Nobody answered in time. */
export const noticeOfExpiry: SayNotice = (locale) => ({ sign: '⏰', title: WORDS[locale].expired })

function quotedOf(quoted: string, folder: string, locale: Locale): Pick<NoticeText, 'quoted' | 'label'> {
  if (quoted === '') return {}
  const name = makeVisible(cut(basename(folder) || folder, MAX_NAME)).text
  return { quoted, label: WORDS[locale].says(name) }
}

function cut(text: string, longest: number): string {
  return text.slice(0, longest).toWellFormed()
}

interface NoticeTitles {
  /** Above the words of a session. */
  says(folder: string): string
  completed: string
  failed: string
  stopped: string
  stoppedBy(person: string): string
  expired: string
}

const WORDS: Record<Locale, NoticeTitles> = {
  en: {
    says: (folder) => `The session in ${folder} says (unverified):`,
    completed: 'Done',
    failed: 'Failed',
    stopped: 'Stopped',
    stoppedBy: (person) => `by ${person}`,
    expired: 'Nobody answered in time, so it was rejected.',
  },
  zh: {
    says: (folder) => `${folder} 的会话输出（未经核实）：`,
    completed: '任务完成',
    failed: '任务出错',
    stopped: '任务已停止',
    stoppedBy: (person) => `由 ${person} 停止`,
    expired: '审批超时,已自动拒绝。',
  },
}
