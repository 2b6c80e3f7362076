/** The Chinese messages. The type is that of the English ones: a missing or surplus code doesn't compile. */
import type { ReasonCode } from '../../core/reasons/english.ts'
import { ACCESS } from './chinese/access.ts'
import { COMMANDS } from './chinese/commands.ts'
import { FILES } from './chinese/files.ts'
import { GRANTS } from './chinese/grants.ts'
import { IMPORTS } from './chinese/imports.ts'
import { MISTAKES } from './chinese/mistakes.ts'
import { POLICY } from './chinese/policy.ts'
import { PROBLEMS } from './chinese/problems.ts'
import { REFUSALS } from './chinese/refusals.ts'
import { REQUESTS } from './chinese/requests.ts'
import { SCHEMA } from './chinese/schema.ts'
import { SESSIONS } from './chinese/sessions.ts'
import { VERDICTS } from './chinese/verdicts.ts'

export const CHINESE: Readonly<Record<ReasonCode, string>> = {
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
}
