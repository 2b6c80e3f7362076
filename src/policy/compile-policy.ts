/**
 * The policy: rules in, verdict out. Compiling refuses whatever is not understood; evaluating is synchronous and
 * pure, and never throws: what can't be judged is denied.
 *
 * From strict to lax: the built-in denies; `deny`; `ask`; `allow`; the mode. Among matching rules the strictest
 * wins, and neither the order in a list nor being more specific counts. Live grants, which answer rules that ask,
 * are looked at by the gateway.
 */
import { APPROVAL_DECISIONS } from '../core/decision.ts'
import { digestOf } from '../core/digest.ts'
import { BanksmanError } from '../core/errors.ts'
import { canonicalize } from '../core/json.ts'
import type { AskVerdict, Facts, Verdict } from '../core/verdict.ts'
import { compileBuiltInDenies, type JudgedCall, type OwnHouse } from './built-in-denies.ts'
import { compileNameList } from './name-list.ts'
import { checkPolicyBlock, isMode, MODES, type PolicyBlock } from './policy-block.ts'
import { warningsOf } from './warnings.ts'

export interface PolicyOptions {
  /** What no agent may touch (P11). Left out, there are no built-in denies but that of unreadable names. */
  ownHouse?: OwnHouse
}

export interface EvaluationContext {
  /** The session's mode, in place of the policy's. One that is not known denies. */
  mode?: string | undefined
}

export interface Policy {
  /** The digest of the block: what is written on every request. */
  readonly version: string
  /** What is not wrong but probably not meant. */
  readonly warnings: readonly string[]
  evaluate(call: JudgedCall, facts?: Facts, context?: EvaluationContext): Verdict
}

export function compilePolicy(block: unknown, options: PolicyOptions = {}): Policy {
  const checked = checkPolicyBlock(block)
  const judge = compileJudge(checked, options)
  return {
    version: versionOf(block),
    warnings: warningsOf(checked),
    evaluate(call, facts, context) {
      try {
        return judge(call, facts, context)
      } catch {
        return {
          kind: 'deny',
          because: 'the call could not be judged, and what can not be judged is denied',
          rule: 'built-in: unreadable call',
        }
      }
    },
  }
}

function versionOf(block: unknown): string {
  try {
    return digestOf(canonicalize(block))
  } catch (error) {
    throw new BanksmanError(
      'invalid_policy',
      'the policy must be plain JSON',
      { pointer: '' },
      { cause: error },
    )
  }
}

function compileJudge(block: PolicyBlock, options: PolicyOptions): Policy['evaluate'] {
  const deny = compileNameList(block.deny)
  const ask = compileNameList(block.ask)
  const allow = compileNameList(block.allow)
  const reason = block.reason?.split('{tool}')
  const builtIn = options.ownHouse === undefined ? undefined : compileBuiltInDenies(options.ownHouse)

  /**
   * Why a person is asked: the policy's own words where it has some, and always the rule. A denial has words of its own,
   * so that nobody is told "a person is asked" when none is (P5). Joined, so that `$&` in a name stays.
   */
  const why = (tool: string, otherwise: string, rules: string) =>
    `${reason === undefined ? otherwise : reason.join(tool)} (${rules})`

  return (call, facts, context) => {
    const { tool } = call
    if (typeof tool !== 'string' || UNREADABLE.test(tool)) return unreadable(tool)
    const own = builtIn?.(call, facts)
    if (own !== undefined) return own

    const denying = deny.first(tool)
    if (denying !== undefined) {
      const rule = named('deny', denying)
      return { kind: 'deny', because: `${tool} is denied (${rule})`, rule }
    }
    const asking = ask.all(tool).map((pattern) => named('ask', pattern))
    if (asking.length > 0) return asks(asking, why(tool, `a person is asked about ${tool}`, listed(asking)))
    const allowing = allow.first(tool)
    if (allowing !== undefined) {
      const rule = named('allow', allowing)
      return { kind: 'allow', because: `${tool} is allowed (${rule})`, rule }
    }

    const mode = context?.mode ?? block.mode
    const rule = `mode: ${isMode(mode) ? mode : 'unknown'}`
    const unmatched = `no list names ${tool}`
    switch (mode) {
      case 'default':
        return asks([rule], why(tool, `${unmatched}, so a person is asked`, rule))
      case 'dontAsk':
        return {
          kind: 'deny',
          because: `${unmatched}, and what is not allowed is denied (${rule})`,
          rule,
        }
      case 'bypass':
        return { kind: 'allow', because: `${unmatched}, and all such tools are allowed (${rule})`, rule }
      default:
        return {
          kind: 'deny',
          because: `${unmatched}, and the session's mode is not one of ${MODES.join(', ')} (${rule})`,
          rule,
        }
    }
  }
}

/** Such a name can't be shown faithfully on one line, and would look like another in a list. */
const UNREADABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

function unreadable(tool: unknown): Verdict {
  const because =
    typeof tool === 'string'
      ? "the tool's name has a control character or a line separator in it, and such names are denied"
      : "the tool's name is not a text"
  return { kind: 'deny', because, rule: 'built-in: unreadable name' }
}

function asks(rules: string[], because: string): AskVerdict {
  return {
    kind: 'ask',
    because,
    ...(rules[0] === undefined ? {} : { rule: rules[0] }),
    terms: {
      conditions: rules.map((rule) => ({ rule, quorum: 1 })),
      allowedDecisions: [...APPROVAL_DECISIONS],
      scopes: ['once', 'session', 'always'],
      severity: 'normal',
    },
  }
}

function named(list: string, pattern: string): string {
  return `${list}: ${JSON.stringify(pattern)}`
}

/** In a sentence for people three are enough; the terms have them all. */
function listed(rules: string[]): string {
  return rules.length <= 3 ? rules.join(', ') : `${rules.slice(0, 3).join(', ')} and ${rules.length - 3} more`
}
