/**
 * The plain names of the lists, in one index. For a tool that no rule speaks of and that the catalogue does not know,
 * they and the mode settle everything: that is most calls of most agents, so those verdicts are put together here, from
 * words made ready beforehand. A test holds them to what `judge` and `verdictOf` say of the same calls.
 */

import { APPROVAL_DECISIONS } from '../../core/decision.ts'
import {
  type ApprovalCondition,
  type AskVerdict,
  listRules,
  SCOPES,
  type Verdict,
} from '../../core/verdict.ts'
import type { CompiledLists, RuleLabel } from '../compile/compile-rules.ts'
import type { ListName } from '../language/language.ts'
import { compileNameIndex } from '../matchers/globs/name-index.ts'
import type { NameFindings } from './findings.ts'
import { onlyAsked } from './verdict-of.ts'

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
  deny: ReadyRule | undefined
  ask: ReadyRule | undefined
  allow: ReadyRule | undefined
}

interface ReadyRule {
  label: RuleLabel
  /** What follows the tool's name in the sentence. */
  words: string
}

export function compileToolNames({ lists, open, reason }: ToolNamesOptions): ToolNames {
  const sayings = sayingsOf(lists, open)
  const index = compileNameIndex(sayings.map(({ pattern }) => pattern))

  const because = (tool: string, words: string, rules: string) =>
    `${reason === undefined ? words : reason.join(tool)} (${rules})`

  const asks = (tool: string, rules: readonly string[]) =>
    asking(because(tool, `a person is asked about ${tool}`, listRules(rules)), rules)

  const unnamed = (tool: string, mode: string): Verdict | undefined => {
    const words = `no list names ${tool}`
    const rule = `mode: ${mode}`
    switch (mode) {
      case 'default':
      case 'acceptEdits':
        return asking(because(tool, `${words}, so a person is asked`, rule), [rule])
      case 'dontAsk':
        return deniedByMode(words)
      case 'bypass':
        return { kind: 'allow', because: `${words}, and all such tools are allowed (${rule})`, rule }
    }
    return undefined
  }

  return {
    findings(tool) {
      const matching = index.all(tool).map((at) => sayings[at]!)
      const labels = (list: ListName) => matching.flatMap((saying) => saying[list]?.label ?? [])
      return { deny: labels('deny'), ask: labels('ask'), allow: labels('allow')[0] }
    },
    settle(tool, mode) {
      const matching = index.all(tool)
      let denying: ReadyRule | undefined
      let allowing: ReadyRule | undefined
      let asked: string[] | undefined
      for (let at = 0; at < matching.length; at++) {
        const saying = sayings[matching[at]!]!
        if (saying.open) return undefined
        denying ??= saying.deny
        allowing ??= saying.allow
        if (saying.ask === undefined) continue
        if (asked === undefined) asked = [saying.ask.label.name]
        else asked.push(saying.ask.label.name)
      }
      if (denying !== undefined) return spoken('deny', tool, denying)
      // What the mode denies is denied although it would be asked about, unless it is allowed.
      if (asked !== undefined && (allowing !== undefined || ASKS.has(mode))) return asks(tool, asked)
      if (asked !== undefined) return mode === 'dontAsk' ? deniedByMode(onlyAsked(tool)) : undefined
      if (allowing !== undefined) return spoken('allow', tool, allowing)
      return unnamed(tool, mode)
    },
  }
}

function deniedByMode(words: string): Verdict {
  const rule = 'mode: dontAsk'
  return { kind: 'deny', because: `${words}, and what is not allowed is denied (${rule})`, rule }
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
  for (const [list, words] of [
    ['deny', 'is denied'],
    ['ask', ''],
    ['allow', 'is allowed'],
  ] as const) {
    for (const { pattern, label } of lists[list]) {
      sayingOf(pattern)[list] ??= { label, words: ` ${words} (${label.name})` }
    }
  }
  for (const pattern of open) sayingOf(pattern).open = true
  return [...sayings.values()]
}

function spoken(kind: 'deny' | 'allow', tool: string, { label, words }: ReadyRule): Verdict {
  return { kind, because: tool + words, rule: label.name }
}

function asking(because: string, rules: readonly string[]): AskVerdict {
  return {
    kind: 'ask',
    because,
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
