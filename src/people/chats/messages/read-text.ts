/**
 * What a text says as an answer. Only a whole text that is one of a few words approves or rejects; a rejection may go on with
 * its reason. Whatever sounds like a yes and isn't plainly one, and every question, says nothing.
 */
export type TextAnswer =
  | { kind: 'approve' }
  | { kind: 'reject'; reason?: string }
  /** Neither a plain yes nor a plain no. As a reply to a card it is the reason of a rejection. */
  | { kind: 'reason'; reason: string }
  | { kind: 'unclear' }

const YES = ['y', 'yes', 'approve', '是', '批准', '同意']
const NO = ['n', 'no', 'reject', '否', '拒绝', '不同意']
/** How people agree, ask, or go on after a yes. Nothing is rejected for a reason that begins so. */
const NOT_A_REASON =
  /^(?:y|yes|yep|yeah|ok|okay|k|sure|fine|go|do it|lgtm|please|approve|approved|是|好|行|可以|批准|同意|对|嗯|👍|✅)(?![\p{L}\p{N}])|^(?:好的|可以的|没问题)|[?？]\s*$/iu
const MAX_REASON = 4000

export function readText(text: string): TextAnswer {
  const said = text.normalize('NFC').trim()
  if (said === '' || said.length > MAX_REASON) return { kind: 'unclear' }
  const word = said.toLowerCase().replace(/[.。!！]$/u, '')
  if (YES.includes(word)) return { kind: 'approve' }
  if (NO.includes(word)) return { kind: 'reject' }
  const [, first = '', rest = ''] = /^([\p{L}]+)\s*[\s,，:：;；-]\s*(\S.*)$/su.exec(said) ?? []
  if (NO.includes(first.toLowerCase())) return { kind: 'reject', reason: rest }
  return NOT_A_REASON.test(said) ? { kind: 'unclear' } : { kind: 'reason', reason: said }
}
