/**
 * Where a call can be approved, as far as what is hidden by names bounds it (P9). A mask must never hide an action: what is
 * not plainly a secret has to be uncovered first, on the request's own page. And of a tool that the catalogue does not know
 * nobody can say which of its arguments act, so that one with anything hidden by its name is not approved in a chat.
 */
import type { MaskedArguments } from '../masks/mask.ts'
import type { Locale } from './rendering-words.ts'

export interface ApprovalBounds {
  /** The values that have to be uncovered before an approval, by JSON pointer. */
  uncover: string[]
  inChat: boolean
}

export function approvalBounds({ masks, known }: MaskedArguments): ApprovalBounds {
  const named = masks.filter(({ name }) => name !== undefined)
  const uncover = named.filter(({ mustUncover }) => mustUncover).map(({ pointer }) => pointer)
  return { uncover, inChat: uncover.length === 0 && (known.isKnown || named.length === 0) }
}

/** Why it can't be approved everywhere, for people; undefined where it can. */
export function sayBounds({ uncover, inChat }: ApprovalBounds, locale: Locale): string | undefined {
  if (inChat) return undefined
  const { mustUncover, unknownTool } = SENTENCES[locale]
  return uncover.length > 0 ? mustUncover : unknownTool
}

const SENTENCES: Readonly<Record<Locale, { mustUncover: string; unknownTool: string }>> = {
  en: {
    mustUncover:
      'Open it in the inbox to approve: a value is hidden because of its name, but may not be a secret, so it has to be uncovered first',
    unknownTool:
      "A chat can't approve it, open it in the inbox: a value is hidden because of its name, and the tool isn't in the catalogue",
  },
  zh: {
    mustUncover: '请在收件箱中打开并批准：有一个值因名称疑似机密而隐藏，但未必是机密，须先查看',
    unknownTool: '聊天中不能批准，请在收件箱中打开：有一个值因名称疑似机密而隐藏，而工具目录中没有这个工具',
  },
}
