import { describe, expect, it } from 'vitest'
import { APPROVAL_DECISIONS, QUESTION_DECISIONS } from '../../core/decision.ts'
import { type CancelCause, type RequestState, STATES } from '../../core/request.ts'
import { SEVERITIES } from '../../core/verdict.ts'
import { sayDecided, sayDecisionAction, sayRecorded } from './decisions.ts'
import { sayOutcome } from './outcomes.ts'
import type { Locale } from './rendering-words.ts'
import { sayRefusedState, sayState } from './request-states.ts'
import { saySeverity } from './severities.ts'
import { sayCancelCause, sayStateMeaning } from './state-meanings.ts'
import { sayTurnStatus } from './turn-statuses.ts'

const DECISIONS = [...new Set([...APPROVAL_DECISIONS, ...QUESTION_DECISIONS])]
const REFUSED = [...STATES, 'denied', 'invalid', 'skipped', 'error'] as const
const CAUSES: Record<CancelCause, true> = {
  withdrawn: true,
  interrupted: true,
  session_ended: true,
  revoked: true,
  denied_at_claim: true,
  facts_changed: true,
  terms_changed: true,
}
const TURN_ENDS = ['completed', 'interrupted', 'limit', 'failed', 'aborted', 'terminated'] as const

const each = <Code extends string>(
  codes: readonly Code[],
  say: (code: Code, locale: Locale) => string,
): [readonly string[], (code: string, locale: Locale) => string] => [codes, say as never]

const TABLES: Record<string, ReturnType<typeof each>> = {
  states: each(STATES, sayState),
  'refused states': each(REFUSED, sayRefusedState),
  'cancel causes': each(Object.keys(CAUSES) as CancelCause[], sayCancelCause),
  buttons: each(DECISIONS, sayDecisionAction),
  decided: each(DECISIONS, sayDecided),
  recorded: each(DECISIONS, sayRecorded),
  outcomes: each(['ok', 'error'], sayOutcome),
  'turn statuses': each(TURN_ENDS, sayTurnStatus),
  severities: each(SEVERITIES, saySeverity),
}

describe.each(['en', 'zh'] as const)('words for codes in %s', (locale) => {
  it.each(Object.entries(TABLES))(
    '%s: every code has a word, and no two have the same',
    (_, [codes, say]) => {
      const said = codes.map((code) => say(code, locale))
      expect(new Set(said).size).toBe(codes.length)
      for (const word of said) {
        if (locale === 'zh') expect(word).toMatch(/^[\p{Script=Han}，。、；]+$/u)
        else expect(word).toMatch(/^[A-Za-z]/)
      }
    },
  )

  it.each(Object.entries(TABLES))(
    '%s: a code that a newer server made up is shown as it is',
    (_, [, say]) => {
      for (const code of ['levitated', 'toString', '__proto__', 'constructor']) {
        expect(say(code, locale)).toBe(code)
      }
    },
  )

  it('a call that ran and failed is not called done', () => {
    expect(sayState('done', locale, 'error')).not.toBe(sayState('done', locale, 'ok'))
    expect(sayState('done', locale, 'ok')).toBe(sayState('done', locale))
    expect(STATES.map((state) => sayState(state, locale))).not.toContain(sayState('done', locale, 'error'))
  })

  it('a question is declined where a call is rejected', () => {
    for (const say of [sayDecisionAction, sayDecided, sayRecorded]) {
      expect(say('reject', locale, 'question')).not.toBe(say('reject', locale, 'approval'))
      expect(say('answer', locale, 'question')).toBe(say('answer', locale))
    }
  })

  it('every state means something of its own, but the one whose label says it all', () => {
    const meaningOf = (state: RequestState) => sayStateMeaning({ state, kind: 'approval' }, locale)
    const explained = STATES.filter((state) => state !== 'done' && state !== 'cancelled')
    expect(new Set(explained.map(meaningOf)).size).toBe(explained.length)
    expect(meaningOf('done')).toBeUndefined()
    expect(meaningOf('cancelled')).toBeUndefined()
    expect(meaningOf('toString' as RequestState)).toBeUndefined()
    expect(sayStateMeaning({ state: 'answered', kind: 'question' }, locale)).not.toBe(meaningOf('answered'))
    const notReported = sayStateMeaning({ state: 'unknown', kind: 'approval', notReported: true }, locale)
    expect([undefined, meaningOf('unknown')]).not.toContain(notReported)
  })

  it('a rejection without a reason does not say that the agent was told why', () => {
    const meaningOf = (decision?: { reason?: string }) =>
      sayStateMeaning({ state: 'rejected', kind: 'approval', ...(decision && { decision }) }, locale)
    expect(meaningOf({ reason: 'not now' })).toMatch(/told why|理由/)
    expect(meaningOf({})).not.toMatch(/why|理由/)
    expect(meaningOf()).toBe(meaningOf({}))
  })

  it('a cancelled request says why', () => {
    const meaningOf = (cause: string) =>
      sayStateMeaning(
        { state: 'cancelled', kind: 'approval', cancelled: { cause: cause as CancelCause } },
        locale,
      )
    expect(meaningOf('withdrawn')).toBe(sayCancelCause('withdrawn', locale))
    expect(meaningOf('levitated')).toBeUndefined()
  })
})
