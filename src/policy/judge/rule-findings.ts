/** Which rules match a call or its parts. */
import type { CompiledRule, ToolRules } from '../compile/compile-rules.ts'
import { spendSteps } from '../steps.ts'
import { commandsOf } from '../subject/command-parts.ts'
import type { CallSubject, SubjectPart } from '../subject/subject.ts'
import { NOT_KNOWN, type RuleFinding } from './findings.ts'

/**
 * All rules of a set that match the call, or of which that can't be ruled out. One after the other, and the cheapest to try
 * first: whoever runs out of steps has found these.
 */
export function* ruleFindings(rules: ToolRules | undefined, subject: CallSubject): Iterable<RuleFinding> {
  if (rules === undefined) return
  yield* findingsByProgram(rules, subject)
  const isLine = subject.parts.length > 0 && subject.parts.every(({ kind }) => kind === 'command')
  const indexed = isLine ? rules.byKey.find(subject) : undefined
  for (const rule of rules.general) {
    if (indexed === undefined || !rules.byKey.has(rule)) yield* findingOf(rule, subject, subject.parts)
    else {
      const { certain = NO_PARTS, possible = NO_PARTS } = indexed.get(rule) ?? {}
      yield* aboutThese(rule, 'yes', certain)
      yield* aboutThese(rule, 'unknown', possible)
    }
  }
  yield* possibleFindings(rules, subject)
}

function* findingsByProgram(rules: ToolRules, subject: CallSubject): Iterable<RuleFinding> {
  if (rules.byProgram.size === 0) return
  const parts = new Map<CompiledRule, SubjectPart[]>()
  for (const part of subject.parts) {
    if (part.kind !== 'command' || part.command.program === undefined) continue
    for (const rule of rules.byProgram.get(part.command.program) ?? []) {
      const already = parts.get(rule)
      if (already === undefined) parts.set(rule, [part])
      else already.push(part)
    }
  }
  for (const [rule, candidates] of parts) yield* findingOf(rule, subject, candidates)
}

/** Rules about commands that a command may run by its own words. */
function possibleFindings(rules: ToolRules, subject: CallSubject): RuleFinding[] {
  if (!rules.namesPrograms) return []
  const isNamed = (program: string) => rules.naming(program).length > 0
  return commandsOf(subject).flatMap((part): RuleFinding[] => {
    const within = subject.within(part, isNamed)
    if (within === undefined) return [{ rule: NOT_KNOWN, holds: 'unknown', parts: [part] }]
    return within.flatMap((possible) =>
      rules
        .naming(possible.command.program ?? '')
        .flatMap((rule) => findingOf(rule, subject, [possible]))
        .map((finding): RuleFinding => ({ ...finding, holds: 'unknown', parts: [part] })),
    )
  })
}

function findingOf(
  rule: CompiledRule,
  subject: CallSubject,
  candidates: readonly SubjectPart[],
): RuleFinding[] {
  const { when } = rule
  if (!isAboutParts(rule) || candidates.length === 0) {
    const holds = when.holds(subject, undefined, false)
    return holds === 'no' ? [] : [{ rule, holds, parts: [] }]
  }
  const certain: SubjectPart[] = []
  const possible: SubjectPart[] = []
  for (const part of candidates) {
    spendSteps(1)
    const holds = when.holds(subject, part, false)
    if (holds === 'yes') certain.push(part)
    else if (holds === 'unknown') possible.push(part)
  }
  return [...aboutThese(rule, 'yes', certain), ...aboutThese(rule, 'unknown', possible)]
}

const NO_PARTS: readonly SubjectPart[] = []

function aboutThese(
  rule: CompiledRule,
  holds: RuleFinding['holds'],
  about: Iterable<SubjectPart>,
): RuleFinding[] {
  const parts = [...about]
  const [first] = parts
  if (first === undefined) return []
  const reach = rule.when.reachReason?.(first)
  return [{ rule, holds, parts, ...(reach === undefined ? {} : { reach }) }]
}

export function isAboutParts({ when }: CompiledRule): boolean {
  return when.aboutParts || when.aboutReach
}
