/**
 * Makes rules of the lists and of `rules:`, and finds those that may hold for a tool. Plain names in the lists are
 * not here: they need no look at the arguments, and are by far the most.
 */

import { defined } from '../../core/defined.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { kept } from '../../core/support/kept.ts'
import { checkEach } from '../../core/support/mistakes.ts'
import type { AskTerms } from '../../core/verdict.ts'
import { LIST_NAMES, type ListName } from '../language/language.ts'
import type { CheckedBlock, CheckedRule } from '../language/policy-block.ts'
import { compileNameIndex } from '../matchers/globs/name-index.ts'
import { compileDomainHost, compileHost } from '../matchers/host.ts'
import { bothMatch } from '../matchers/match-result.ts'
import type { ShellCommand } from '../shell/reading.ts'
import { judgeProgram } from '../starter/judge-program.ts'
import type { CallSubject } from '../subject/subject.ts'
import type { Catalogue } from '../tools/catalogue.ts'
import { hostKey, hosts, reasonOfReach } from './compile-hosts.ts'
import { compileWhen } from './compile-when.ts'
import type { CompiledWhen, Places } from './compiled-when.ts'
import { type ListEntry, readListEntry } from './list-entry.ts'
import { indexByKey, type KeyIndex } from './rule-index.ts'

/** What people and grants know of a rule. */
export interface RuleLabel {
  readonly kind: 'deny' | 'ask' | 'allow'
  readonly name: string
  /** Where it stands in the block; undefined for what is built in. */
  readonly pointer: string | undefined
  /** In the words of the policy's author, with `{tool}` for the tool. */
  readonly reason?: string | undefined
  /** Of what is built in. */
  readonly why?: Reason | undefined
  readonly terms?: RuleTerms | undefined
}

/** What an ask adds to the terms, besides the defaults. */
export interface RuleTerms extends Partial<Omit<AskTerms, 'conditions'>> {
  approvers?: string[]
  quorum: number
}

export interface CompiledRule extends RuleLabel {
  readonly when: CompiledWhen
}

export interface CompiledLists {
  /** The plain names of each list, with where they stand. */
  names: Record<ListName, { pattern: string; label: RuleLabel }[]>
  rules: CompiledRule[]
}

export function compileRules(
  block: CheckedBlock,
  catalogue: Catalogue,
  places: Places,
  /** `starter` for what is built in and stands in no file. */
  source: 'file' | 'starter' = 'file',
): CompiledLists {
  const names: CompiledLists['names'] = { deny: [], ask: [], allow: [] }
  const rules: CompiledRule[] = []
  const entries = LIST_NAMES.flatMap((list) =>
    block[list].map((text, index) => () => {
      const pointer = `/${list}/${index}`
      const entry = readListEntry(text, list, catalogue, pointer)
      const label = labelOf(list, text, source === 'file' ? pointer : undefined)
      if (entry.kind === 'name') names[list].push({ pattern: entry.pattern, label })
      else rules.push({ ...label, when: compileSpecifier(entry, list, pointer, places) })
    }),
  )
  const written = block.rules.map((rule, index) => () => {
    const pointer = `/rules/${index}`
    rules.push({
      kind: rule.then,
      name: rule.name,
      pointer: source === 'file' ? pointer : undefined,
      reason: rule.reason,
      terms: rule.then === 'ask' ? termsOf(rule) : undefined,
      when: compileWhen(rule.when, `${pointer}/when`, places, rule.then),
    })
  })
  checkEach([...entries, ...written])
  return { names, rules }
}

function labelOf(list: ListName, text: string, pointer: string | undefined): RuleLabel {
  const name = `${list}: ${JSON.stringify(text)}`
  return { kind: list, name: pointer === undefined ? `starter ${name}` : name, pointer }
}

/**
 * An allow is about the one tool that it names. A deny or an ask of a path or a host is about every tool of the kind, and
 * about shell commands too: `deny: Read(./.env)` would otherwise be lifted by `cat .env`, and
 * `deny: WebFetch(domain:example.com)` by `curl example.com`.
 */
function compileSpecifier(
  entry: Extract<ListEntry, { kind: 'specifier' }>,
  list: ListName,
  at: string,
  places: Places,
): CompiledWhen {
  const { tool, toolKind, about, pattern } = entry
  if (about === 'host') return compileHostEntry(entry, list, at, places)
  if (list === 'allow' || about !== 'path') return compileWhen({ tool, [about]: pattern }, at, places, list)
  const path = compileWhen({ path: pattern }, at, places, list)
  const { key } = path
  return {
    ...path,
    key: key?.kind === 'path' && toolKind === 'edit' ? { ...key, applies: mayEdit } : key,
    holds: (subject, part, every) => {
      const holds = path.holds(subject, part, every)
      return holds === 'no' ? 'no' : bothMatch(holds, appliesTo(subject, part, tool, toolKind))
    },
  }
}

function compileHostEntry(
  { tool, toolKind, pattern }: Extract<ListEntry, { kind: 'specifier' }>,
  list: ListName,
  at: string,
  places: Places,
): CompiledWhen {
  const isDomain = pattern.startsWith('domain:')
  const matcher = isDomain ? compileDomainHost(pattern.slice('domain:'.length), at) : compileHost(pattern, at)
  const reaches = hosts([matcher])
  const reachReason = reasonOfReach([matcher])
  if (list === 'allow') {
    return {
      ...compileWhen({ tool, host: '*' }, at, places, list),
      reachReason,
      holds: (subject, part, every) => {
        if (subject.call.tool !== tool) return 'no'
        return part === undefined ? 'unknown' : reaches(subject, part, every)
      },
    }
  }
  return {
    ...compileWhen({ host: '*' }, at, places, list),
    key: hostKey([matcher]),
    reachReason,
    holds: (subject, part, every) => {
      if (subject.call.tool === tool) {
        // Every call of the tool, whatever is made of its address.
        if (matcher.isAny && !isDomain) return 'yes'
        return part === undefined ? 'unknown' : reaches(subject, part, every)
      }
      const { kind } = subject.entry ?? {}
      return kind === 'shell' || kind === toolKind ? reaches(subject, part, every) : 'no'
    },
  }
}

function appliesTo(
  subject: CallSubject,
  part: Parameters<CompiledWhen['holds']>[1],
  tool: string,
  toolKind: string | undefined,
): 'yes' | 'no' {
  // What is read through is not edited.
  const reads = subject.entry?.kind === 'shell' || subject.entry?.kind === 'read'
  if (part?.kind === 'sweep' && toolKind === 'edit' && reads) return 'no'
  // One that is listed without a kind, or says of itself that it does more, may do anything with its paths; one that sends reads.
  const isOpen = subject.entry !== undefined && [undefined, 'network'].includes(subject.entry.kind)
  if (isOpen || subject.call.tool === tool || subject.entry?.kind === toolKind) return 'yes'
  if (subject.entry?.kind !== 'shell') return 'no'
  if (toolKind === 'read' || part?.kind !== 'command') return 'yes'
  return mayEdit(part.command) ? 'yes' : 'no'
}

/** What only reads does not edit, but what it prints may be sent into a file. Every rule asks it of every command. */
const mayEdit = kept((command: ShellCommand): boolean => {
  const writes = command.redirections.some(({ kind }) => kind === 'write')
  return writes || judgeProgram(command, () => 'yes').kind !== 'reads'
})

function termsOf(rule: CheckedRule): RuleTerms {
  return {
    quorum: rule.quorum,
    ...defined({
      approvers: rule.approvers,
      allowedDecisions: rule.allowedDecisions,
      scopes: rule.scopes,
      severity: rule.severity,
      expiresInMs: rule.expiresInMs,
      claimWithinMs: rule.claimWithinMs,
      widestGrant: rule.widestGrant,
      askOutcome: rule.askOutcome === true ? (true as const) : undefined,
      chats: rule.chat === undefined ? undefined : [rule.chat],
    }),
  }
}

export interface RuleSet {
  readonly isEmpty: boolean
  /** The rules that may hold for the tool; undefined where there are none. */
  forTool(tool: string): ToolRules | undefined
}

export interface ToolRules {
  /** To be tried on every call. */
  readonly general: readonly CompiledRule[]
  /** Finds those of them that are about hosts or paths alone, for the commands of a line. */
  readonly byKey: KeyIndex<CompiledRule>
  /** To be tried on commands of one program. */
  readonly byProgram: ReadonlyMap<string, readonly CompiledRule[]>
  /** All rules about commands of one program, those that are tried on every call too. */
  naming(program: string): readonly CompiledRule[]
  readonly namesPrograms: boolean
  readonly aboutCommands: boolean
}

const NONE: ReadonlyMap<string, readonly CompiledRule[]> = new Map()

export function indexRules(rules: readonly CompiledRule[]): RuleSet {
  const always = rules.filter((rule) => rule.when.tools === undefined)
  const plain = new Map<string, { general: CompiledRule[]; byProgram: Map<string, CompiledRule[]> }>()
  const globs: { pattern: string; rule: CompiledRule }[] = []
  const named = new Map<string, CompiledRule[]>()
  for (const rule of always) addByProgram(named, rule)
  const byKey = indexByKey(always)
  for (const rule of rules) {
    for (const tool of new Set(rule.when.tools ?? [])) {
      if (tool.includes('*')) globs.push({ pattern: tool, rule })
      else addPlain(plain, tool, rule)
    }
  }
  const index = compileNameIndex(globs.map(({ pattern }) => pattern))
  return {
    isEmpty: rules.length === 0,
    forTool(tool) {
      const own = plain.get(tool)
      const matching = globs.length === 0 ? [] : index.all(tool)
      if (own === undefined && matching.length === 0 && always.length === 0) return undefined
      const general =
        matching.length === 0 && always.length === 0
          ? (own?.general ?? [])
          : [...new Set([...always, ...matching.map((at) => globs[at]!.rule), ...(own?.general ?? [])])]
      const byProgram = own?.byProgram ?? NONE
      return {
        general,
        byKey,
        byProgram,
        namesPrograms: byProgram.size + named.size > 0,
        naming: (program) => [...(byProgram.get(program) ?? []), ...(named.get(program) ?? [])],
        get aboutCommands() {
          return byProgram.size > 0 || general.some(({ when }) => when.aboutParts || when.aboutReach)
        },
      }
    },
  }
}

function addPlain(
  plain: Map<string, { general: CompiledRule[]; byProgram: Map<string, CompiledRule[]> }>,
  tool: string,
  rule: CompiledRule,
): void {
  const group = plain.get(tool) ?? { general: [], byProgram: new Map<string, CompiledRule[]>() }
  plain.set(tool, group)
  if (rule.when.programs === undefined) group.general.push(rule)
  else addByProgram(group.byProgram, rule)
}

function addByProgram(byProgram: Map<string, CompiledRule[]>, rule: CompiledRule): void {
  for (const program of new Set(rule.when.programs ?? [])) {
    const already = byProgram.get(program)
    if (already === undefined) byProgram.set(program, [rule])
    else already.push(rule)
  }
}
