/**
 * Reading all that is below a folder also reads what a deny names there, or what is ours. That is not denied: whoever
 * searches a project seldom means its secrets. A person is asked, and told what would be read.
 */
import type { CompiledRule, RuleLabel, ToolRules } from '../compile-rules.ts'
import type { Finding } from '../judge.ts'
import { commandsOf } from '../known-commands.ts'
import type { OwnPath } from '../own-house/own-path.ts'
import type { OwnPaths } from '../own-house/own-paths.ts'
import type { CommandPart, Part, Subject } from '../subject.ts'
import { sparesOwn } from './sweep.ts'
import { type SweepPart, sweepsIn } from './sweep-part.ts'

export const READS_BELOW = 'built-in: reads below'

/** `own`: what belongs to Banksman itself, where that is known. */
export function readsBelow(
  subject: Subject,
  denying: ToolRules | undefined,
  own: OwnPaths | undefined,
): Finding[] {
  if (denying === undefined && own === undefined) return []
  const sweeps = sweepsIn(subject)
  const rules = sweeps.length === 0 ? [] : rulesOf(denying)
  return [
    ...sweeps.flatMap((part) => rules.flatMap((rule) => deniedBelow(subject, part, rule))),
    ...ownBelow(subject, sweeps, own),
  ]
}

/** Whether something of ours would be read, which no name in a list settles. */
export function readsOwn(subject: Subject, own: OwnPaths): boolean {
  return ownBelow(subject, sweepsIn(subject), own).length > 0
}

function rulesOf(denying: ToolRules | undefined): CompiledRule[] {
  const rules = denying === undefined ? [] : [...denying.general, ...[...denying.byProgram.values()].flat()]
  return [...new Set(rules)].filter(({ when }) => when.aboutParts)
}

function deniedBelow(subject: Subject, part: SweepPart, rule: CompiledRule): Finding[] {
  if (rule.when.holds(subject, part, false) === 'no') return []
  return [found(`it would also read what ${rule.name} names`, part.part)]
}

function ownBelow(subject: Subject, sweeps: readonly SweepPart[], own: OwnPaths | undefined): Finding[] {
  if (own === undefined) return []
  for (const part of sweeps) {
    if (part.namesOnly) continue
    for (const folder of part.folders) {
      const depth = folder.split('/').filter((name) => name !== '').length
      const counts = (one: OwnPath) =>
        !one.readable && !sparesOwn(part.sweep, one.names.slice(depth), one.isFolder)
      const owner = own.below(folder, '/', counts)
      if (owner !== undefined) return [found(belongs(owner), part.part)]
    }
  }
  for (const part of commandsOf(subject)) {
    const owner = enteredByWildcard(subject, part, own)
    if (owner !== undefined) return [found(belongs(owner), part)]
  }
  return []
}

function belongs({ given }: OwnPath): string {
  return `it would also read ${given}, which belongs to Banksman itself`
}

/** These tell names of what a wildcard finds, and open nothing. What changes files is looked at elsewhere. */
const OPENS_NOTHING =
  /^(?:echo|ls|printf|stat|basename|dirname|realpath|readlink|true|test|\[|du|find|fd|rm|mv|chmod|chown|touch|mkdir|rmdir|cd)$/

/** `cat .*\/*` comes upon what is in our folder, although it says nothing of its name. */
function enteredByWildcard(
  { call, facts }: Subject,
  { command }: CommandPart,
  own: OwnPaths,
): OwnPath | undefined {
  if (OPENS_NOTHING.test(command.program ?? '') || command.folder === undefined) return undefined
  const bases = [...new Set([call.cwd, facts?.folder])].filter((base) => base !== undefined)
  for (const { value, text, pattern } of command.words) {
    const written = pattern ? (value ?? text.replace(/["'\\]/g, '')) : ''
    if (!/[*?[]/.test(written) || /[$`(){}]/.test(written)) continue
    for (const base of bases) {
      const owner = own.enteredBy(written, command.folder === '' ? base : `${base}/${command.folder}`)
      if (owner !== undefined && !owner.readable) return owner
    }
  }
  return undefined
}

function found(reason: string, part: Part | undefined): Finding {
  const rule: RuleLabel = { kind: 'ask', name: READS_BELOW, pointer: undefined, reason }
  return { rule, holds: 'unknown', parts: part === undefined ? [] : [part] }
}
