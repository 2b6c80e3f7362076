/**
 * Why something was decided, as data: a code, and the values that the sentence is about. A sentence is made of it for each reader, in
 * their language, by the messages of that language (`english.ts` beside this file, the others in `display/reasons/`).
 *
 * - A code is never reused for another meaning, and its values keep their names. A message that is no longer made keeps its code.
 * - A value is a text or number from outside, another reason, or a list of them. Texts are filled in once and never read as a
 *   pattern: what looks like a place of a message in a value is shown as it is.
 * - Values from outside are shown through `display/` (visible, masked, cut) in every language, and are masked and cut in the journal as
 *   arguments are. A reason holds nothing that the sentence doesn't need.
 * - `because` is the English sentence, made once where the reason is made. It stays on the record. Whoever meets a code that they don't
 *   know (a newer server wrote it) shows that sentence.
 * - Two reasons are the same if their codes and values are. Nobody compares sentences.
 */
export interface Reason {
  code: string
  values?: Readonly<Record<string, ReasonValue>>
}

export function isReason(value: unknown): value is Reason {
  return typeof (value as Partial<Reason> | null | undefined)?.code === 'string'
}

export type ReasonValue = string | number | Reason | readonly ReasonValue[]

/** A sentence with what it was made of. The reason is absent on what an earlier version wrote. */
export interface Because {
  because: string
  reason?: Reason
}

/** Of what has more members. */
export function toldOf({ because, reason }: Because): Because {
  return reason === undefined ? { because } : { because, reason }
}

export function isSameReason(one: Reason | undefined, other: Reason | undefined): boolean {
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other))
}

/** Whether a text is one of the values, at any depth: the sentence says it then. */
export function hasValue(reason: Reason | undefined, text: string): boolean {
  const isIt = (value: ReasonValue): boolean =>
    typeof value === 'object' ? (isList(value) ? value.some(isIt) : hasValue(value, text)) : value === text
  return Object.values(reason?.values ?? {}).some(isIt)
}

/** The names of values in one order: a store may give them back in another. */
function inOrder(value: ReasonValue | undefined): unknown {
  if (typeof value !== 'object') return value
  if (isList(value)) return value.map(inOrder)
  const values = Object.entries(value.values ?? {}).sort(([one], [other]) => (one < other ? -1 : 1))
  return [value.code, ...values.map(([name, each]) => [name, inOrder(each)])]
}

function isList(value: Reason | readonly ReasonValue[]): value is readonly ReasonValue[] {
  return Array.isArray(value)
}
