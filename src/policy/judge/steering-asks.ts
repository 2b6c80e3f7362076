/**
 * An edit of a file that steers programs has a person asked, in every mode, unless a rule allows it by name: a pattern
 * that names the file or its folder, as `./.npmrc` does and `./**` does not. It is a finding like that of an `ask`, so
 * that grants, explanations and modes treat it alike.
 */
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { CompiledRule, RuleLabel, RuleSet } from '../compile/compile-rules.ts'
import { type NamedWrite, type SteeringWrites, steeringWrites } from '../steering/steering-writes.ts'
import { findSteering, isNamedBy, isWholeFolder, type Steering } from '../steering-files/find-steering.ts'
import { groupReason } from '../steering-files/group-reason.ts'
import type { SteeringGroup } from '../steering-files/steering-group.ts'
import type { CallSubject, CommandPart, SubjectPart } from '../subject/subject.ts'
import { EDITORS, type RuleFinding } from './findings.ts'

export interface SteeringParts {
  readonly allow: RuleSet
  readonly roots: readonly string[]
}

export function steeringAsks(parts: SteeringParts, subject: CallSubject): RuleFinding[] {
  const writes = steeringWrites(subject, parts.roots)
  return [...certain(parts, subject, writes), ...possible(writes)]
}

function certain(parts: SteeringParts, subject: CallSubject, { named }: SteeringWrites): RuleFinding[] {
  const found = new Map<SteeringGroup, { steering: Steering; parts: Set<SubjectPart> }>()
  for (const write of named) {
    const { group } = write.steering
    if (group.everyday === true || isAllowedByName(parts, subject, write)) continue
    const already = found.get(group)
    if (already === undefined) found.set(group, { steering: write.steering, parts: new Set([write.part]) })
    else already.parts.add(write.part)
  }
  return [...found.values()].map(({ steering, parts: about }) => ({
    rule: steeringLabel(steering.group, steering.written.join('/').replace('/<plain>', '')),
    holds: 'yes',
    parts: about.size > MAX_PARTS ? [] : [...about],
  }))
}

/** One finding a group, however many words of a long line may come to it. */
function possible({ possible: maybe }: SteeringWrites): RuleFinding[] {
  const found = new Map<SteeringGroup, { word: string; parts: Set<SubjectPart> }>()
  for (const { part, group, word } of maybe) {
    const already = found.get(group)
    if (already === undefined) found.set(group, { word, parts: new Set([part]) })
    else already.parts.add(part)
  }
  return [...found].map(([group, { word, parts }]) => ({
    rule: steeringLabel(group, word),
    holds: 'unknown',
    // Of very many the call as a whole is asked about.
    parts: parts.size > MAX_PARTS ? [] : [...parts],
  }))
}

const MAX_PARTS = 64

/** A grant for it lets no more through than that one file, and answers for no other group. */
function steeringLabel(group: SteeringGroup, file: string): RuleLabel {
  return {
    kind: 'ask',
    name: `built-in: steers ${group.name}`,
    pointer: undefined,
    why: reasonOf('steers', { file, group: groupReason(group.name), why: reasonOf(group.why) }),
    terms: { quorum: 1, widestGrant: 'shape' },
  }
}

function isAllowedByName(parts: SteeringParts, subject: CallSubject, write: NamedWrite): boolean {
  const { part, steering, path, resolved } = write
  // Who names a folder of the list has named what is in it, though that is of another group too.
  const folders = [path, resolved ?? path]
    .flatMap((each) => findSteering(each, parts.roots))
    .filter(isWholeFolder)
  const isNamed = (pattern: string) => [steering, ...folders].some((each) => isNamedBy(pattern, each))
  const byPath = (rules: readonly CompiledRule[]) =>
    rules.some(({ when }) =>
      when.pathPatterns.some(({ pattern, matches }) => isNamed(pattern) && matches(resolved, path) === 'yes'),
    )
  const rulesFor = (tool: string) => parts.allow.forTool(tool)
  if (write.redirected || (subject.entry?.patches.length ?? 0) > 0) {
    if (EDITORS.some((tool) => byPath(rulesFor(tool)?.general ?? []))) return true
  }
  if (part.kind !== 'command') {
    const rules = rulesFor(subject.call.tool)?.general ?? []
    return byPath(rules.filter(({ when }) => when.holds(subject, part, true) === 'yes'))
  }
  if (write.redirected) return false
  return rulesOf(rulesFor(subject.call.tool), part).some(
    ({ when }) =>
      when.commandPatterns.some((pattern) => pattern.split(/[\s=:,]+/).some(isNamed)) &&
      when.holds(subject, part, true) === 'yes',
  )
}

function rulesOf(rules: ReturnType<RuleSet['forTool']>, { command }: CommandPart): readonly CompiledRule[] {
  if (rules === undefined) return []
  return [...rules.general, ...(rules.byProgram.get(command.program ?? '') ?? [])]
}
