/**
 * A caller in this process can have a person asked where the policy or a grant would let the call through. It makes a verdict
 * stricter and never laxer: a deny stays a deny, and what the policy asks for is still asked for, of the same people.
 */
import { APPROVAL_DECISIONS } from '../../core/decision.ts'
import { told } from '../../core/reasons/english.ts'
import type { Because } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { type AskTerms, isHighRisk, type Verdict } from '../../core/verdict.ts'

/** `because`: a sentence for the person; where it has no reason, these are the caller's own words. */
export interface ForcedAsk extends Because {
  /** High risk: it is approved by a click alone, never by text. */
  isHighRisk?: boolean | undefined
}

/** The condition of a call that the policy itself lets through. Whom the policy names by default may approve it. */
export const ALWAYS_ASKED = 'always asked'

export function forceAsk(verdict: Verdict, asks: ForcedAsk): Verdict {
  if (verdict.kind === 'deny') return verdict
  const { because: words, reason: own } = asks
  if (verdict.kind === 'allow') {
    const reason = own ?? reasonOf('ask.written', { words })
    return { kind: 'ask', ...told(reason), rule: ALWAYS_ASKED, terms: withRisk(TERMS, asks) }
  }
  const second = verdict.reason ?? reasonOf('ask.written', { words: verdict.because })
  const reason =
    own === undefined
      ? reasonOf('ask.also-written', { words, second })
      : reasonOf('ask.also', { first: own, second })
  return {
    ...verdict,
    ...told(reason),
    terms: withRisk({ ...verdict.terms, scopes: ['once'] }, asks),
  }
}

/** Whether who approves on these terms is asked no less than `asks` wants. */
export function isAskedEnough({ severity }: AskTerms, asks: ForcedAsk): boolean {
  return asks.isHighRisk !== true || isHighRisk(severity)
}

/** A grant would let nothing through that is always asked, so none is offered. */
const TERMS: AskTerms = {
  conditions: [{ rule: ALWAYS_ASKED, quorum: 1 }],
  allowedDecisions: [...APPROVAL_DECISIONS],
  scopes: ['once'],
  severity: 'normal',
}

function withRisk(terms: AskTerms, asks: ForcedAsk): AskTerms {
  return isAskedEnough(terms, asks) ? terms : { ...terms, severity: 'high', risk: reasonOf('risk.always') }
}
