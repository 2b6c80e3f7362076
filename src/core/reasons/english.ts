/**
 * The English messages, from which the codes of reasons derive. Other languages have the same codes, in `display/reasons/`.
 *
 * A place is a name in braces. Between backticks its value is quoted. A message that is part of others has no capital and no full stop.
 */
import { ACCESS } from './english/access.ts'
import { COMMANDS } from './english/commands.ts'
import { FILES } from './english/files.ts'
import { GRANTS } from './english/grants.ts'
import { IMPORTS } from './english/imports.ts'
import { MISTAKES } from './english/mistakes.ts'
import { POLICY } from './english/policy.ts'
import { PROBLEMS } from './english/problems.ts'
import { REFUSALS } from './english/refusals.ts'
import { REQUESTS } from './english/requests.ts'
import { SCHEMA } from './english/schema.ts'
import { SESSIONS } from './english/sessions.ts'
import { VERDICTS } from './english/verdicts.ts'
import { fillMessage, type MessageStyle } from './fill-message.ts'
import type { Because, Reason } from './reason.ts'

export const ENGLISH = {
  ...VERDICTS,
  ...COMMANDS,
  ...FILES,
  ...GRANTS,
  ...REQUESTS,
  ...REFUSALS,
  ...PROBLEMS,
  ...SESSIONS,
  ...POLICY,
  ...SCHEMA,
  ...MISTAKES,
  ...IMPORTS,
  ...ACCESS,
} as const

export type ReasonCode = keyof typeof ENGLISH

/** With its sentence. */
export function told(reason: Reason): Required<Because> {
  return { because: sayInEnglish(reason), reason }
}

const STYLE: MessageStyle = { messages: ENGLISH, separator: ', ', clauses: '; ', show: (text) => text }

/** As it stands on the record: the values are those of the call, not made visible for anyone. */
export function sayInEnglish(reason: Reason): string {
  return fillMessage(reason, STYLE) ?? reason.code
}
