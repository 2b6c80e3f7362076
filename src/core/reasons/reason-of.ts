/** Makes reasons. A code's values are those that its English message has places for. */
import type { ENGLISH, ReasonCode } from './english.ts'
import type { Reason, ReasonValue } from './reason.ts'

type MessagePlaces<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | MessagePlaces<Rest>
  : never

type PlacesOf<Code extends ReasonCode> = MessagePlaces<(typeof ENGLISH)[Code]>

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
