/**
 * From a call to its verdict. Most calls are decided by the plain names in the lists and the mode, and for those nothing
 * else is looked at.
 */

import { told } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { DenyVerdict, Verdict } from '../../core/verdict.ts'
import { OWN_FILES_INSIDE } from '../built-in-denies/own-denial.ts'
import type { EvaluationContext, JudgedCall } from '../policy.ts'
import type { CallSubject } from '../subject/subject.ts'
import type { Catalogue, CatalogueEntry } from '../tools/catalogue.ts'
import type { CallFindings } from './findings.ts'
import type { ToolNames } from './tool-names.ts'
import { verdictOf } from './verdict-of.ts'

export interface EvaluateParts {
  readonly catalogue: Catalogue
  readonly names: ToolNames
  readonly roots: readonly string[]
  /** Whether the starter policy is extended. */
  readonly starter: boolean
  /** The policy's own words for asking, cut at `{tool}`. */
  readonly reason: readonly string[] | undefined
  /** What nothing lifts (P11); undefined where nothing is built in. */
  readonly builtIn: ((subject: CallSubject) => DenyVerdict | undefined) | undefined
  /** Whether something of Banksman itself would be read, or an agent started, which no name in a list decides. */
  needsLook(subject: CallSubject): boolean
  /** Whether a deny, an ask or what is built in is about parts of calls: then a tool that nobody listed is looked into. */
  readonly mindsParts: boolean
  judged(subject: CallSubject, mode: string): CallFindings
  modeOf(context: EvaluationContext | undefined): string
}

/** The subject of the call is made only where names don't decide. */
export type Evaluate = (
  call: JudgedCall,
  context: EvaluationContext | undefined,
  subjectOf: () => CallSubject,
) => Verdict

export function createEvaluate(parts: EvaluateParts): Evaluate {
  const { catalogue, names, builtIn, roots, reason } = parts

  /**
   * Names decide about a known tool unless they ask, or the mode or the starter looks at its kind. A name never allows
   * what may write a file that steers programs.
   */
  const decidedByName = (
    tool: string,
    entry: CatalogueEntry | undefined,
    mode: string,
  ): Verdict | undefined => {
    if (entry === undefined) return names.settle(tool, mode)
    if (mode === 'acceptEdits' || mode === 'plan' || (parts.starter && entry.kind === 'shell'))
      return undefined
    const verdict = names.settle(tool, mode)
    const mayWrite = entry.kind !== 'read' && entry.kind !== 'network'
    return verdict?.kind === 'ask' || (mayWrite && verdict?.kind === 'allow') ? undefined : verdict
  }

  return (call, context, subjectOf) => {
    const { tool } = call
    const illegible = unreadable(tool)
    if (illegible !== undefined) return illegible
    const mode = parts.modeOf(context)
    const entry = catalogue.find(tool, call.definition)
    const isLike = entry === undefined || entry.like !== undefined
    if (builtIn === undefined && catalogue.argumentsOf(tool) === undefined && !(isLike && parts.mindsParts)) {
      const verdict = decidedByName(tool, entry, mode)
      if (verdict !== undefined) return verdict
    }
    const subject = subjectOf()
    const barred = builtIn?.(subject)
    if (barred !== undefined && barred.rule !== OWN_FILES_INSIDE) return barred
    const isPlain = !parts.needsLook(subject) && subject.strange === undefined
    const verdict =
      (isPlain ? decidedByName(tool, entry, mode) : undefined) ??
      verdictOf(parts.judged(subject, mode), subject, { mode, roots, reason, starter: parts.starter })
    // Of two denies the one that somebody wrote down says more.
    return barred === undefined || isRuledOut(verdict) ? verdict : barred
  }
}

function isRuledOut({ kind, rule }: Verdict): boolean {
  return kind === 'deny' && rule !== undefined && !rule.startsWith('mode: ')
}

/** Such a name can't be shown faithfully on one line, and would look like another in a list. */
const UNREADABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

function unreadable(tool: unknown): Verdict | undefined {
  if (typeof tool === 'string' && !UNREADABLE.test(tool)) return undefined
  const reason = reasonOf(typeof tool === 'string' ? 'deny.unreadable-name' : 'deny.nameless')
  return { kind: 'deny', ...told(reason), rule: 'built-in: unreadable name' }
}
