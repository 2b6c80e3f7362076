/**
 * Which grants answer what is asked about a call. Each rule that asks, for each part that it asks about, needs a
 * grant that was given for that rule and that holds for that part. A line that is not understood, or that writes a
 * file, is covered only by a grant for exactly that call.
 */
import type { Grant, GrantMatch } from '../../core/grants/grant.ts'
import { conditionKey, type Facts } from '../../core/verdict.ts'
import { compileWhen } from '../compile/compile-when.ts'
import type { CompiledWhen, Places } from '../compile/compiled-when.ts'
import type { CallFindings } from '../judge/findings.ts'
import { riskOfCall } from '../judge/risk-of-call.ts'
import { conditionOf, isAskedFor, modeLabel, modeVerdict } from '../judge/verdict-of.ts'
import type { EvaluationContext, JudgedCall, Policy } from '../policy.ts'
import { deletionsOf, writesOf } from '../shell/options/option-effects.ts'
import { commandsOf } from '../subject/command-parts.ts'
import type { CallSubject, SubjectPart } from '../subject/subject.ts'

export interface CoverParts {
  places: Places
  subjectOf(call: JudgedCall, facts: Facts | undefined, context?: EvaluationContext): CallSubject
  judged(subject: CallSubject, mode: string): CallFindings
  modeOf(context: EvaluationContext | undefined): string
}

interface Need {
  /** The condition that a grant must have been given for. */
  rule: string
  /** Undefined: the call as a whole. */
  part: SubjectPart | undefined
  /** Only a grant for exactly this call will do. */
  exactly: boolean
}

export function createGrantCover(parts: CoverParts): Pick<Policy, 'cover' | 'matches'> {
  const compiled = new Map<string, CompiledWhen | undefined>()
  const whenOf = (match: Extract<GrantMatch, { kind: 'when' }>) => {
    const key = JSON.stringify(match.when)
    if (!compiled.has(key)) {
      if (compiled.size >= MAX_COMPILED) compiled.clear()
      compiled.set(key, tryCompile(match.when, parts.places))
    }
    return compiled.get(key)
  }
  const holdsFor = (match: GrantMatch, digest: string, subject: CallSubject, need: Need): boolean => {
    if (match.kind === 'exact') return match.digest === digest
    const when = whenOf(match)
    if (when === undefined || need.exactly) return false
    // Nobody knows what else such a tool does with the other arguments; older versions offered this.
    if (subject.entry?.kind === undefined && Object.hasOwn(match.when, 'arguments')) return false
    return need.part === undefined ? holdsForAll(when, subject) : holdsForPart(when, subject, need.part)
  }
  return {
    cover(call, digest, grants, facts, context) {
      try {
        const subject = parts.subjectOf(call, facts, context)
        if (isTooLong(subject)) return undefined
        const needs = needsOf(subject, parts, parts.modeOf(context))
        return needs === undefined
          ? undefined
          : chosen(
              needs,
              grants,
              (grant, need) =>
                grant.rules.includes(need.rule) && holdsFor(grant.match, digest, subject, need),
            )
      } catch {
        return undefined
      }
    },
    matches(match, call, digest, facts) {
      try {
        const subject = parts.subjectOf(call, facts)
        if (isTooLong(subject)) return false
        return holdsFor(match, digest, subject, { rule: '', part: undefined, exactly: needsExact(subject) })
      } catch {
        return false
      }
    },
  }
}

/** More than are live at a time in any installation; the rest are compiled again. */
const MAX_COMPILED = 1000

/** One that can't be read any more, after a root was taken away say, covers nothing. */
function tryCompile(when: unknown, places: Places): CompiledWhen | undefined {
  try {
    return compileWhen(when, '', places, 'allow')
  } catch {
    return undefined
  }
}

/** Undefined where no grant can help. */
function needsOf(subject: CallSubject, parts: CoverParts, mode: string): Need[] | undefined {
  const judgement = parts.judged(subject, mode)
  if (judgement.denies.length > 0) return undefined
  const exactly = needsExact(subject)
  const needs = judgement.asks.flatMap(({ rule, holds, parts: about }): Need[] => {
    const key = conditionKey(conditionOf(rule))
    // A rule that may hold may be a deny, and of another call with the same shape it may be another rule.
    const only = exactly || holds === 'unknown'
    if (about.length === 0) return [{ rule: key, part: undefined, exactly: only }]
    return about.map((part) => ({ rule: key, part, exactly: only }))
  })
  const left = judgement.left.filter((one) => !isAskedFor(one, judgement.asks))
  if (judgement.left.length > 0) {
    const verdict = modeVerdict(mode, subject, parts.places.roots)
    if (verdict === 'deny') return undefined
    if (verdict === 'ask') {
      const rule = modeLabel(mode).name
      needs.push(...left.map(({ part }): Need => ({ rule, part, exactly })))
    }
  }
  return needs
}

/** Nobody has looked at most of such a line, so nobody can have meant it with a grant. */
function isTooLong({ reading }: CallSubject): boolean {
  return reading?.doubts.some(({ kind }) => kind === 'too long') === true
}

function needsExact(subject: CallSubject): boolean {
  return (
    subject.strange !== undefined ||
    (subject.entry === undefined && riskOfCall(subject).severity === 'high') ||
    (subject.reading?.doubts.length ?? 0) > 0 ||
    commandsOf(subject).some(
      ({ command }) =>
        command.redirections.some(({ kind }) => kind === 'write') ||
        writesOf(command).length + deletionsOf(command).length > 0,
    )
  )
}

function holdsForPart(when: CompiledWhen, subject: CallSubject, part: SubjectPart): boolean {
  return when.holds(subject, when.aboutParts ? part : undefined, true) === 'yes'
}

function holdsForAll(when: CompiledWhen, subject: CallSubject): boolean {
  if (!when.aboutParts) return when.holds(subject, undefined, true) === 'yes'
  const parts = subject.parts.filter((part) => part.kind !== 'command' || !part.command.transparent)
  return parts.length > 0 && parts.every((part) => when.holds(subject, part, true) === 'yes')
}

function chosen(
  needs: readonly Need[],
  grants: readonly Grant[],
  covers: (grant: Grant, need: Need) => boolean,
): Grant[] | undefined {
  const taken: Grant[] = []
  for (const need of needs) {
    if (taken.some((grant) => covers(grant, need))) continue
    const grant = grants.find((one) => covers(one, need))
    if (grant === undefined) return undefined
    taken.push(grant)
  }
  // One that was taken first may have become needless by those that were taken later. One by one: two that stand in for
  // each other must not both go.
  let needed = taken
  for (const grant of taken) {
    const others = needed.filter((one) => one !== grant)
    if (needs.every((need) => others.some((one) => covers(one, need)))) needed = others
  }
  return needed
}
