/** What an approval leaves behind, as it is said on the command line. */

import type { DecisionInput } from '../../client/index.ts'
import { MAX_GRANT_MS } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import { durationIn } from '../../core/time/duration.ts'
import { type GrantScope, SCOPES } from '../../core/verdict.ts'
import { usageError } from '../output/failures.ts'
import { visible } from '../output/safe-text.ts'
import type { OptionSpecs, ValuesOf } from './option-specs.ts'

export const GRANT_OPTIONS = {
  scope: {
    kind: 'text',
    value: 'SCOPE',
    about:
      'once, session or always: where the approval is remembered (default: once, which remembers nothing)',
    oneOf: SCOPES,
  },
  grant: {
    kind: 'text',
    value: 'ID',
    about: 'what is remembered, as listed by `requests show`: call, shape, tool, … (default: call)',
  },
  for: {
    kind: 'text',
    value: 'TIME',
    about: 'how long it is remembered, such as 15m, 8h or 30d; at most 365d',
  },
  uses: { kind: 'text', value: 'NUMBER', about: 'how many calls it allows at most' },
  'sub-sessions': {
    kind: 'flag',
    about: 'with --scope session: also in sessions that this one starts',
  },
} as const satisfies OptionSpecs

export function grantInput(values: ValuesOf<typeof GRANT_OPTIONS>): Pick<DecisionInput, 'scope' | 'grant'> {
  const { scope, grant, for: expiresIn, uses, 'sub-sessions': includeSubSessions } = values
  const isBounded = grant !== undefined || expiresIn !== undefined || uses !== undefined || includeSubSessions
  if (isBounded && scope !== 'session' && scope !== 'always') {
    throw usageError(
      '--grant, --for, --uses and --sub-sessions say what is remembered: give --scope session or --scope always with them',
    )
  }
  if (expiresIn !== undefined) checkSpan(expiresIn)
  return {
    ...(scope === undefined ? {} : { scope: scope as GrantScope }),
    ...(isBounded
      ? {
          grant: {
            ...defined({ suggestion: grant, expiresIn }),
            ...(uses === undefined ? {} : { uses: usesOf(uses) }),
            ...(includeSubSessions ? { includeSubSessions } : {}),
          },
        }
      : {}),
  }
}

function checkSpan(text: string): void {
  if (durationIn(text, MAX_GRANT_MS) === undefined)
    throw usageError(`--for must be a duration of at most 365d, as in 15m, 8h or 30d; found ${visible(text)}`)
}

function usesOf(text: string): number {
  const uses = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (uses < 1) throw usageError(`--uses must be a whole number from 1 on; found ${visible(text)}`)
  return uses
}
