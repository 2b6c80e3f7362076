/**
 * The plain names of the lists, in one index. For a tool that no rule speaks of and that the catalogue does not know,
 * they and the mode settle everything: that is most calls of most agents, so those verdicts are put together here, from
 * words made ready beforehand. A test holds them to what `judge` and `verdictOf` say of the same calls.
 */

import { APPROVAL_DECISIONS } from '../../core/decision.ts'
import { sayInEnglish, told } from '../../core/reasons/english.ts'
import type { Because, Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { type ApprovalCondition, type AskVerdict, SCOPES, type Verdict } from '../../core/verdict.ts'
import type { CompiledLists, RuleLabel } from '../compile/compile-rules.ts'
import type { ListName } from '../language/language.ts'
import { compileNameIndex } from '../matchers/globs/name-index.ts'
import type { NameFindings } from './findings.ts'

export interface ToolNames {
  /** What the lists say of the tool. */
  findings(tool: string): NameFindings
  /** The verdict on a call of a tool that the catalogue does not know; undefined where there is more to look at. */
  settle(tool: string, mode: string): Verdict | undefined
}

export interface ToolNamesOptions {
  lists: CompiledLists['names']
  /** Globs for the tools that rules speak of, about which names do not settle anything. */
  open: readonly string[]
  /** The policy's own words for asking, cut at `{tool}`. */
  reason: readonly string[] | undefined
}

/** What one pattern says, in each list in which it stands. */
interface NamePattern {
  pattern: string
  open: boolean
  deny: RuleLabel | undefined
  ask: RuleLabel | undefined
  allow: RuleLabel | undefined
}

export function compileToolNames({ lists, open, reason }: ToolNamesOptions): ToolNames {
  const sayings = sayingsOf(lists, open)
  const index = compileNameIndex(sayings.map(({ pattern }) => pattern))
  const written =
    reason === undefined
      ? undefined
      : readySentence((tool) => reasonOf('ask.written', { words: reason.join(tool) }))

  const asks = (tool: string, rules: readonly string[]) => asking((written ?? LISTED.ask)(tool), rules)

  const unnamed = (tool: string, mode: string): Verdict | undefined => {
    const rule = `mode: ${mode}`
    switch (mode) {
      case 'default':
      case 'acceptEdits':
        return asking((written ?? UNLISTED)(tool), [rule])
      case 'dontAsk':
        return { kind: 'deny', ...UNLISTED_DENIED(tool), rule }
      case 'bypass':
        return { kind: 'allow', ...BYPASSED(tool), rule }
    }
    return undefined
  }

  return {
    findings(tool) {
      const matching = index.all(tool).map((at) => sayings[at]!)
      const labels = (list: ListName) => matching.flatMap((saying) => saying[list] ?? [])
      return { deny: labels('deny'), ask: labels('ask'), allow: labels('allow')[0] }
    },
    settle(tool, mode) {
      const matching = index.all(tool)
      let denying: RuleLabel | undefined
      let allowing: RuleLabel | undefined
      let asked: string[] | undefined
      for (let at = 0; at < matching.length; at++) {
        const saying = sayings[matching[at]!]!
        if (saying.open) return undefined
        denying ??= saying.deny
        allowing ??= saying.allow
        if (saying.ask === undefined) continue
        if (asked === undefined) asked = [saying.ask.name]
        else asked.push(saying.ask.name)
      }
      if (denying !== undefined) return spoken('deny', tool, denying)
      // What the mode denies is denied although it would be asked about, unless it is allowed.
      if (asked !== undefined && (allowing !== undefined || ASKS.has(mode))) return asks(tool, asked)
      if (asked !== undefined) return mode === 'dontAsk' ? deniedAlthoughAsked(tool) : undefined
      if (allowing !== undefined) return spoken('allow', tool, allowing)
      return unnamed(tool, mode)
    },
  }
}

/** A reason about a tool, with its sentence. Made for most calls of most agents: the sentence is cut beforehand. */
function readySentence(make: (tool: string) => Reason): (tool: string) => Required<Because> {
  const pieces = sayInEnglish(make(CUT)).split(CUT)
  // The usual name needs no more than that it is put in; one with a backtick is quoted otherwise.
  return (tool) =>
    tool.includes('`') ? told(make(tool)) : { because: pieces.join(tool), reason: make(tool) }
}

/** No tool is called so: names with control characters are denied before. */
const CUT = '\u0000'

const LISTED = {
  deny: readySentence((what) => reasonOf('deny.listed', { what })),
  ask: readySentence((what) => reasonOf('ask.listed', { what })),
  allow: readySentence((what) => reasonOf('allow.listed', { what })),
}
const UNLISTED = readySentence((what) => reasonOf('ask', { why: reasonOf('why.unlisted', { what }) }))
const UNLISTED_DENIED = readySentence((what) =>
  reasonOf('deny.unasked', { why: reasonOf('why.unlisted', { what }) }),
)
const ONLY_ASKED = readySentence((what) =>
  reasonOf('deny.unasked', { why: reasonOf('why.only-asked', { what }) }),
)
const BYPASSED = readySentence((what) => reasonOf('allow.bypass', { what }))

/** A list that asks does not allow. */
function deniedAlthoughAsked(tool: string): Verdict {
  return { kind: 'deny', ...ONLY_ASKED(tool), rule: 'mode: dontAsk' }
}

/** Modes that do not deny. */
const ASKS: ReadonlySet<string> = new Set(['default', 'acceptEdits', 'bypass'])

function sayingsOf(lists: CompiledLists['names'], open: readonly string[]): NamePattern[] {
  const sayings = new Map<string, NamePattern>()
  const sayingOf = (pattern: string) => {
    const saying = sayings.get(pattern) ?? {
      pattern,
      open: false,
      deny: undefined,
      ask: undefined,
      allow: undefined,
    }
    sayings.set(pattern, saying)
    return saying
  }
  for (const list of ['deny', 'ask', 'allow'] as const) {
    for (const { pattern, label } of lists[list]) sayingOf(pattern)[list] ??= label
  }
  for (const pattern of open) sayingOf(pattern).open = true
  return [...sayings.values()]
}

function spoken(kind: 'deny' | 'allow', tool: string, { name }: RuleLabel): Verdict {
  const { because, reason } = LISTED[kind](tool)
  return { kind, because, reason, rule: name }
}

function asking({ because, reason }: Required<Because>, rules: readonly string[]): AskVerdict {
  return {
    kind: 'ask',
    because,
    reason,
    rule: rules[0]!,
    terms: {
      conditions: rules.length === 1 ? [conditionOf(rules[0]!)] : rules.map(conditionOf),
      allowedDecisions: APPROVAL_DECISIONS.slice(),
      scopes: SCOPES.slice(),
      severity: 'normal',
    },
  }
}

function conditionOf(rule: string): ApprovalCondition {
  return { rule, quorum: 1 }
}
