/**
 * The English messages, from which the codes of reasons derive. Other languages have the same codes, in `display/reasons/`.
 *
 * A place is a name in braces. Between backticks its value is quoted. A message that is part of others has no capital and no full stop.
 */
import { COMMANDS } from './english/commands.ts'
import { FILES } from './english/files.ts'
import { GRANTS } from './english/grants.ts'
import { PROBLEMS } from './english/problems.ts'
import { VERDICTS } from './english/verdicts.ts'

export const ENGLISH = { ...VERDICTS, ...COMMANDS, ...FILES, ...GRANTS, ...PROBLEMS } as const

export type ReasonCode = keyof typeof ENGLISH
