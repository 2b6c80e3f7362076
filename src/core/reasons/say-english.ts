/** The English sentence of a reason. */
import { ENGLISH } from './english.ts'
import { fillMessage, type MessageStyle } from './fill-message.ts'
import type { Because, Reason } from './reason.ts'

/** With its sentence. */
export function told(reason: Reason): Required<Because> {
  return { because: sayInEnglish(reason), reason }
}

const STYLE: MessageStyle = { messages: ENGLISH, separator: ', ', clauses: '; ', show: (text) => text }

/** As it stands on the record: the values are those of the call, not made visible for anyone. */
export function sayInEnglish(reason: Reason): string {
  return fillMessage(reason, STYLE) ?? reason.code
}
