/** Makes reasons, and the English sentence of a reason. A code's values are those that its English message has places for. */
import { ENGLISH, type ReasonCode } from './english.ts'
import { fillMessage, type MessageStyle } from './fill-message.ts'
import type { Reason, ReasonValue, Told } from './reason.ts'

export type { ReasonCode }

type Places<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Places<Rest>
  : never

type PlacesOf<Code extends ReasonCode> = Places<(typeof ENGLISH)[Code]>

/** The codes whose message has these places and no others. */
export type CodeWith<Name extends string> = {
  [Code in ReasonCode]: [PlacesOf<Code>] extends [Name]
    ? [Name] extends [PlacesOf<Code>]
      ? Code
      : never
    : never
}[ReasonCode]

export type PlainCode = CodeWith<never>

export function reasonOf<Code extends ReasonCode>(
  code: Code,
  ...[values]: [PlacesOf<Code>] extends [never] ? [] : [values: Readonly<Record<PlacesOf<Code>, ReasonValue>>]
): Reason {
  return values === undefined ? { code } : { code, values }
}

/** With its sentence. */
export function told(reason: Reason): Required<Told> {
  return { because: sayInEnglish(reason), reason }
}

const STYLE: MessageStyle = { messages: ENGLISH, separator: ', ', clauses: '; ', show: (text) => text }

/** As it stands on the record: the values are those of the call, not made visible for anyone. */
export function sayInEnglish(reason: Reason): string {
  return fillMessage(reason, STYLE) ?? reason.code
}
