/**
 * What is approved in the inbox and not at a terminal: a call with a value that has to be uncovered (P9). Whoever has
 * uncovered it is sent to its page too, since the terminal goes on hiding it.
 */
import type { WireRequest } from '../../client/index.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import { visible } from './safe-text.ts'

export interface InboxLink {
  /** By which people open it. */
  url: string
  locale: Locale
}

/** Why a request can't be approved at a terminal, and the address where it can; undefined where it can be. */
export function inboxLinkFor(
  request: Pick<WireRequest, 'id' | 'covered'>,
  inbox: InboxLink,
): string | undefined {
  if (!isForInbox(request)) return undefined
  const { id, covered } = request
  const { toUncover, uncovered } = SENTENCES[inbox.locale]
  const page = `${inbox.url.replace(/\/+$/, '')}/#/pending/${visible(id)}`
  return `${covered?.uncovered === true ? uncovered : toUncover}${page}`
}

export function isForInbox({ covered }: Pick<WireRequest, 'covered'>): boolean {
  return covered !== undefined && covered.uncover.length > 0
}

const SENTENCES: Readonly<Record<Locale, { toUncover: string; uncovered: string }>> = {
  en: {
    toUncover:
      "It can't be approved at the terminal: a value is hidden because of its name, but may not be a secret. Uncover and approve it in the inbox: ",
    uncovered:
      "It can't be approved at the terminal, which hides a value that you have uncovered. Approve it in the inbox: ",
  },
  zh: {
    toUncover: '不能在终端批准：有一个值因名称疑似机密而隐藏，但未必是机密。请在收件箱中查看并批准：',
    uncovered: '不能在终端批准：终端隐藏了一个您已查看过的值。请在收件箱中批准：',
  },
}
