/**
 * Errors as `application/problem+json` (RFC 9457), with a stable `code`. What we know the cause of is told in full;
 * anything else is reported here and told as `internal`, without its words: they may carry what the caller must not see.
 */

import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Decision, Vote } from '../../core/decision.ts'
import { type BanksmanError, ERROR_STATUS, isBanksmanError } from '../../core/errors.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Outcome } from '../../core/request.ts'
import { reasonOfError, sayError } from '../../display/reasons/say-error.ts'
import { sayReason } from '../../display/reasons/say-reason.ts'
import { showReason } from '../../display/reasons/show-reason.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { WireProblem } from '../../wire/types/answers.ts'
import { localeOf } from '../access/locale.ts'
import type { HttpContext, ReportHttpFault } from '../connection/http-context.ts'
import { decisionOrVoteToWire, outcomeToWire } from './decision-to-wire.ts'

/** `detail` is in the reader's language where the error has a reason. */
export function toProblem(error: BanksmanError, locale: Locale = 'en'): WireProblem {
  const { code } = error
  const { lines: _, ...details } = error.details
  const reason = reasonOfError(error)
  return {
    // First, so that no detail can stand in for a member of ours.
    ...details,
    ...momentsTold(details),
    ...issuesTold(details, locale),
    type: `urn:banksman:problem:${code}`,
    title: code.replaceAll('_', ' '),
    status: ERROR_STATUS[code],
    code,
    detail: sayError(error, locale),
    ...(reason === undefined ? {} : { reason: showReason(reason) }),
  }
}

/** Each fault that has a reason is told in the reader's language, like the error itself. */
function issuesTold({ issues }: BanksmanError['details'], locale: Locale): Record<string, unknown> {
  if (!Array.isArray(issues)) return {}
  return {
    issues: issues.map((issue: { message: string; reason?: Reason }) =>
      issue.reason === undefined
        ? issue
        : {
            ...issue,
            message: sayReason({ because: issue.message, reason: issue.reason }, locale),
            reason: showReason(issue.reason),
          },
    ),
  }
}

/** What was recorded goes with a refusal in the form in which a request carries it. */
function momentsTold(details: BanksmanError['details']): Record<string, unknown> {
  const { decision, votes, decisions, outcome } = details as Recorded & {
    /** Of several requests that were to be decided together. */
    decisions?: Recorded[]
    outcome?: Outcome
  }
  return {
    ...(decisions === undefined
      ? {}
      : { decisions: decisions.map((each) => ({ ...each, ...recordedToWire(each) })) }),
    ...recordedToWire({ decision, votes }),
    ...(outcome === undefined ? {} : { outcome: outcomeToWire(outcome) }),
  }
}

/** A decision with every vote that it took. */
interface Recorded {
  decision?: Decision | undefined
  votes?: Vote[] | undefined
}

function recordedToWire({ decision, votes }: Recorded): Record<string, unknown> {
  return {
    ...(decision === undefined ? {} : { decision: decisionOrVoteToWire(decision) }),
    ...(votes === undefined ? {} : { votes: votes.map((vote) => decisionOrVoteToWire(vote)) }),
  }
}

/** The error as it may be told. Faults of ours are reported. */
export function toPublicError(
  error: unknown,
  report: ReportHttpFault | undefined,
  doing: string,
): BanksmanError {
  if (isBanksmanError(error)) {
    if (ERROR_STATUS[error.code] >= 500) report?.({ doing, error })
    return error
  }
  report?.({ doing, error })
  return reasonedError('internal', reasonOf('problem.internal'))
}

export function answerProblem(c: HttpContext, error: BanksmanError): Response {
  const problem = toProblem(error, localeOf(c.req.header('accept-language')))
  const headers: Record<string, string> = { 'content-type': 'application/problem+json' }
  if (problem.code === 'unauthenticated') {
    const known = c.req.header('authorization') === undefined ? '' : ', error="invalid_token"'
    headers['www-authenticate'] = `Bearer realm="banksman"${known}`
  }
  if (problem.status === 503 || problem.status === 429) headers['retry-after'] = '1'
  if (Array.isArray(error.details.allow)) headers.allow = error.details.allow.join(', ')
  return c.body(JSON.stringify(problem), problem.status as ContentfulStatusCode, headers)
}
