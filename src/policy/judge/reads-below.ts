/**
 * Reading all that is below a folder also reads what a deny names there, or what is ours. That is not denied: whoever
 * searches a project seldom means its secrets. A person is asked, and told what would be read.
 */

import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { type OwnPath, ownNames } from '../built-in-denies/own-path.ts'
import type { OwnPaths } from '../built-in-denies/own-paths.ts'
import { isAbsent } from '../compile/absent-places.ts'
import type { CompiledRule, RuleLabel, ToolRules } from '../compile/compile-rules.ts'
import { ownInSweep } from '../recursive-reads/own-in-sweep.ts'
import { assumedFolders, mayFindHidden, type SweepPart, sweepsIn } from '../recursive-reads/sweep-part.ts'
import { writtenOut } from '../shell/effects/file-arguments.ts'
import type { ShellWord } from '../shell/reading.ts'
import { commandsOf } from '../subject/command-parts.ts'
import type { CallSubject, CommandPart, SubjectPart } from '../subject/subject.ts'
import { READS_BELOW, type RuleFinding } from './findings.ts'

/** `own`: what belongs to Banksman itself, where that is known. */
export function readsBelow(
  subject: CallSubject,
  denying: ToolRules | undefined,
  own: OwnPaths | undefined,
): RuleFinding[] {
  if (denying === undefined && own === undefined) return []
  const sweeps = sweepsIn(subject)
  const rules = sweeps.length === 0 ? [] : rulesOf(denying)
  return [
    ...sweeps.flatMap((part) => rules.flatMap((rule) => deniedBelow(subject, part, rule))),
    ...ownBelow(subject, sweeps, own),
  ]
}

/** Whether something of ours would be read, which no name in a list settles. */
export function readsOwn(subject: CallSubject, own: OwnPaths): boolean {
  return ownBelow(subject, sweepsIn(subject), own).length > 0
}

function rulesOf(denying: ToolRules | undefined): CompiledRule[] {
  const rules = denying === undefined ? [] : [...denying.general, ...[...denying.byProgram.values()].flat()]
  return [...new Set(rules)].filter(({ when }) => when.aboutParts)
}

function deniedBelow(subject: CallSubject, part: SweepPart, rule: CompiledRule): RuleFinding[] {
  if (rule.when.holds(subject, part, false) === 'no' || isAbsent(subject, part, rule)) return []
  return [found(reasonOf('below.rule', { rule: rule.name }), part.part)]
}

function ownBelow(
  subject: CallSubject,
  sweeps: readonly SweepPart[],
  own: OwnPaths | undefined,
): RuleFinding[] {
  if (own === undefined) return []
  for (const part of sweeps) {
    const owner = ownInSweep(part, own, false, (depth) => ignoredBelow(subject, depth))
    if (owner !== undefined) return [found(belongs(owner), part.part)]
  }
  const commands = commandsOf(subject)
  const folderOf = assumedFolders(commands)
  const findsHidden = commands.some(({ command }) => mayFindHidden(command))
  for (const part of commands) {
    const owner = enteredByWildcard(subject, part, own, { folder: folderOf(part), findsHidden })
    if (owner !== undefined) return [found(belongs(owner), part)]
  }
  return []
}

/** The folders of ours that are passed over by whoever begins above them, by the names on the way to them. */
function ignoredBelow({ facts }: CallSubject, depth: number): string[][] {
  return (facts?.ignored ?? []).map(ownNames).filter((names) => names.length > depth)
}

/** Of our own folders those of which it must be known for the call whether ripgrep passes over them. */
export function ignoredLookups(subject: CallSubject, own: OwnPaths): string[] | undefined {
  const asks = sweepsIn(subject).some(({ sweep, namesOnly }) => sweep.honoursIgnores && !namesOnly)
  return asks ? own.folders : undefined
}

/** What a deny names plainly of which it must be known for the call whether it is there. */
export function deniedLookups(subject: CallSubject, denying: ToolRules | undefined): string[] | undefined {
  const searches = sweepsIn(subject).filter(({ command }) => command === undefined)
  const rules = searches.length === 0 ? [] : rulesOf(denying)
  const named = rules.flatMap(({ when }) => {
    const isMet = searches.some((part) => when.holds(subject, part, false) !== 'no')
    return isMet ? (when.namedPlaces ?? []) : []
  })
  return named.length === 0 ? undefined : [...new Set(named)]
}

function belongs({ given }: OwnPath): Reason {
  return reasonOf('below.own', { path: given })
}

/** These tell names of what a wildcard finds, and open nothing. What changes files is looked at elsewhere. */
const OPENS_NOTHING =
  /^(?:echo|ls|printf|stat|basename|dirname|realpath|readlink|true|test|\[|du|find|fd|rm|mv|chmod|chown|touch|mkdir|rmdir|cd)$/

/** `cat .*\/*` comes upon what is in our folder, although it says nothing of its name. */
function enteredByWildcard(
  { call, facts }: CallSubject,
  { command }: CommandPart,
  own: OwnPaths,
  { folder, findsHidden }: { folder: string; findsHidden: boolean },
): OwnPath | undefined {
  if (OPENS_NOTHING.test(command.program ?? '')) return undefined
  const bases = [...new Set([call.cwd, facts?.folder])].filter((base) => base !== undefined)
  for (const { value, text, pattern } of withoutBraces(command.words)) {
    const written = pattern ? (value ?? text.replace(/["'\\]/g, '')) : ''
    if (!/[*?[]/.test(written) || /[$`(){}]/.test(written)) continue
    for (const one of findsHidden ? withDots(written) : [written]) {
      for (const base of bases) {
        const owner = own.enteredBy(
          one,
          folder === '' ? base : folder.startsWith('/') ? folder : `${base}/${folder}`,
        )
        if (owner !== undefined && !owner.readable) return owner
      }
    }
  }
  return undefined
}

/** More than anyone writes: writing them all out would take too long. */
const MAX_BRACES = 32

function withoutBraces(words: readonly ShellWord[]): readonly ShellWord[] {
  const braces = words.filter(({ value, text }) => value === undefined && text.includes('{')).length
  return braces === 0 || braces > MAX_BRACES ? words : words.flatMap(writtenOut)
}

/** With `dotglob`, `*\/*` is `.*\/*` too, and `**` whatever is below. */
function withDots(pattern: string): string[] {
  const names = pattern.replaceAll('**', '*/*').split('/').slice(0, MAX_NAMES)
  const dotted = names.flatMap((name, at) =>
    /^[*?[]/.test(name) ? [names.with(at, `.${name}`).join('/')] : [],
  )
  return [pattern, ...dotted]
}

const MAX_NAMES = 16

function found(why: Reason, part: SubjectPart | undefined): RuleFinding {
  const rule: RuleLabel = { kind: 'ask', name: READS_BELOW, pointer: undefined, why }
  return { rule, holds: 'unknown', parts: part === undefined ? [] : [part] }
}
