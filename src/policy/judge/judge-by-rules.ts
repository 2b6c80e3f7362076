/**
 * Finds all that bears on a call: which rules deny or ask, and of its parts (the commands of a line, the paths, the
 * addresses) which are allowed by what, and which are left to the mode.
 */

import type { Mode } from '../../core/session.ts'
import type { CompiledRule, RuleLabel, RuleSet, ToolRules } from '../compile/compile-rules.ts'
import { isInside } from '../matchers/inside-roots.ts'
import { deletionsOf, doubtfulOptionsOf, loadsOf, writesOf } from '../shell/options/option-effects.ts'
import { isProgramAt } from '../shell/patterns/program-path.ts'
import { saysWords } from '../shell/patterns/says-words.ts'
import type { Doubt, ShellWord } from '../shell/reading.ts'
import { areCommits, isOneNumber } from '../starter/known-output.ts'
import { mayReveal } from '../starter/reveals.ts'
import { commandsOf } from '../subject/command-parts.ts'
import type { CallSubject, CommandPart, SubjectPart } from '../subject/subject.ts'
import { entryOf } from '../tools/catalogue.ts'
import {
  type CallFindings,
  EDITORS,
  HIDING_DOUBTS,
  type NameFindings,
  NOT_KNOWN,
  NOT_UNDERSTOOD,
  type RuleFinding,
  type UnallowedPart,
} from './findings.ts'
import { judgeCommand, onlyReads } from './judge-command.ts'
import { isAboutParts, ruleFindings } from './rule-findings.ts'

export interface JudgeRules {
  readonly deny: RuleSet
  readonly ask: RuleSet
  readonly allow: RuleSet
  readonly roots: readonly string[]
  /** Whether programs that are known to only read are allowed, and those that destroy denied. */
  readonly starter: boolean
  /** Asks about files that steer programs. */
  steeringAsks(subject: CallSubject): RuleFinding[]
  /** Asks about reading what a deny names below a folder, or what belongs to Banksman itself. */
  readsBelow(subject: CallSubject, denying: ToolRules | undefined): RuleFinding[]
}

export function judgeByRules(
  parts: JudgeRules,
  subject: CallSubject,
  names: NameFindings,
  mode: Mode,
): CallFindings {
  const { tool } = subject.call
  const denying = parts.deny.forTool(tool)
  const asking = parts.ask.forTool(tool)
  const denies = whole(names.deny)
  try {
    for (const finding of ruleFindings(denying, subject)) denies.push(finding)
    denies.push(...guessedFindings(parts, parts.deny, subject, names))
    if (parts.starter) denies.push(...destructions(subject, parts.roots))
  } catch (error) {
    // A line that is too long is denied by what was found until then, so that padding turns no deny into a request.
    const sure = denies.filter((finding) => finding.holds === 'yes')
    if (sure.length === 0) throw error
    return { denies: sure, asks: [], allowed: [], left: [] }
  }
  const found = [...ruleFindings(asking, subject), ...guessedFindings(parts, parts.ask, subject, names)]
  const unknown = [...denies, ...found].filter((finding) => finding.holds === 'unknown')
  return {
    denies: denies.filter((finding) => finding.holds === 'yes'),
    asks: [
      ...whole(names.ask),
      ...found.filter((finding) => finding.holds === 'yes'),
      ...parts.steeringAsks(subject),
      ...folded(unknown),
      ...hidden(subject, denying, asking),
      ...besides(subject, denying, asking, isOwn(names.allow)),
      ...parts.readsBelow(subject, denying),
    ],
    ...allowances(parts, subject, names.allow, mode),
  }
}

/**
 * What bears on a tool that nobody listed by what its arguments may be, as far as it is about that. A person who allowed the tool by
 * its name has said that they trust it with what the starter would ask about.
 */
function guessedFindings(
  parts: JudgeRules,
  rules: RuleSet,
  { guesses }: CallSubject,
  names: NameFindings,
): RuleFinding[] {
  const found = new Map<RuleLabel, RuleFinding>()
  const isTrusted = isOwn(names.allow)
  for (const { subject, sure } of guesses) {
    const denying = parts.deny.forTool(subject.call.tool)
    const about = [...ruleFindings(rules.forTool(subject.call.tool), subject)].filter(
      ({ rule, parts: its, holds }) =>
        its.length > 0 &&
        (!isTrusted || isOwn(rule) || rule === NOT_KNOWN) &&
        // Of a text that is no shell's line only what was found counts.
        (sure ||
          holds === 'yes' ||
          subject.reading?.doubts.some(({ kind }) => kind === 'unparsable') !== true),
    )
    if (rules === parts.ask) {
      if (sure) about.push(...parts.steeringAsks(subject))
      if (sure) about.push(...hidden(subject, denying, parts.ask.forTool(subject.call.tool)))
      about.push(...parts.readsBelow(subject, denying))
    } else if (parts.starter && sure) about.push(...destructions(subject, parts.roots))
    for (const one of about)
      if (found.get(one.rule)?.holds !== 'yes')
        // A grant is for the call as a whole; of a deny it is told what it is about.
        found.set(one.rule, rules === parts.deny && one.holds === 'yes' ? one : { ...one, parts: [] })
  }
  return [...found.values()]
}

function whole(rules: readonly RuleLabel[]): RuleFinding[] {
  return rules.map((rule) => ({ rule, holds: 'yes', parts: [] }))
}

function destructions(subject: CallSubject, roots: readonly string[]): RuleFinding[] {
  return commandsOf(subject).flatMap((part): RuleFinding[] => {
    const known = judgeCommand(subject, part, roots)
    if (known.kind !== 'destroys') return []
    const name = `starter: ${part.command.program ?? 'a command'}`
    return [{ rule: { kind: 'deny', name, pointer: undefined, why: known.why }, holds: 'yes', parts: [part] }]
  })
}

/** A word like `$X` may be any path that a rule is about. Those that ask for certain people are still named one by one. */
function folded(unknown: readonly RuleFinding[]): RuleFinding[] {
  const own = unknown.filter(({ rule }) => hasOwnTerms(rule))
  const others = unknown.filter(({ rule }) => !hasOwnTerms(rule))
  if (others.length < 2) return [...unknown]
  const parts = others.every((finding) => finding.parts.length > 0)
    ? [...new Set(others.flatMap((finding) => finding.parts))]
    : []
  return [...own, { rule: NOT_KNOWN, holds: 'unknown', parts }]
}

function hasOwnTerms({ terms }: RuleLabel): boolean {
  return terms !== undefined && (terms.approvers !== undefined || terms.quorum > 1)
}

/** Approvers of every rule on commands are asked too: a disguise must not change who decides. */
function hidden(
  subject: CallSubject,
  denying: ToolRules | undefined,
  asking: ToolRules | undefined,
): RuleFinding[] {
  if (subject.reading === undefined) return []
  const { doubts } = subject.reading
  // Nobody has looked at most of it: a person has to, even where all lines are allowed.
  const isTooLong = doubts.some(({ kind }) => kind === 'too long')
  if (!isTooLong && denying?.aboutCommands !== true && asking?.aboutCommands !== true) return []
  if (!doubts.some((doubt) => HIDING_DOUBTS.has(doubt.kind))) return []
  const rules = asking === undefined ? [] : [...asking.general, ...[...asking.byProgram.values()].flat()]
  const own = [...new Set(rules)].filter((rule) => isAboutParts(rule) && hasOwnTerms(rule))
  return [NOT_UNDERSTOOD, ...own].map((rule) => ({ rule, holds: 'unknown', parts: [] }))
}

/**
 * An argument that nobody knows may name what a rule is about. A person who allowed the tool by its name has said that
 * they trust it with whatever the starter would ask about, but not with what they deny themselves.
 */
function besides(
  { strange }: CallSubject,
  denying: ToolRules | undefined,
  asking: ToolRules | undefined,
  isNamed: boolean,
): RuleFinding[] {
  if (strange === undefined) return []
  const rules = [denying, asking].flatMap((one) =>
    one === undefined ? [] : [...one.general, ...[...one.byProgram.values()].flat()],
  )
  const possible = rules.filter((rule) => rule.when.aboutParts && (!isNamed || isOwn(rule)))
  if (possible.length === 0) return []
  const own = [...new Set(possible)].filter((rule) => rule.kind === 'ask' && hasOwnTerms(rule))
  return [NOT_UNDERSTOOD, ...own].map((rule) => ({ rule, holds: 'unknown', parts: [] }))
}

/** Whether somebody wrote it down: what the starter brings stands in no file. */
function isOwn(rule: RuleLabel | undefined): boolean {
  return rule?.pointer !== undefined
}

function allowances(
  parts: JudgeRules,
  subject: CallSubject,
  name: RuleLabel | undefined,
  mode: Mode,
): Pick<CallFindings, 'allowed' | 'left'> {
  if (name !== undefined && (subject.strange === undefined || isOwn(name)))
    return { allowed: [{ part: undefined, rule: name }], left: [] }
  const rules = parts.allow.forTool(subject.call.tool)
  const general = rules?.general ?? []
  const always = general.find(
    (rule) => !rule.when.aboutParts && rule.when.holds(subject, undefined, true) === 'yes',
  )
  if (always !== undefined) return { allowed: [{ part: undefined, rule: always }], left: [] }
  if (subject.strange !== undefined) {
    const about = subject.parts.length === 0 ? [undefined] : subject.parts
    return {
      allowed: [],
      left: about.map((part) => ({ part, doubts: part === undefined ? [] : doubtsOf(part) })),
    }
  }
  if (subject.parts.length === 0) {
    return { allowed: [], left: [{ part: undefined, doubts: subject.reading?.doubts ?? [] }] }
  }
  const allowed: { part: SubjectPart | undefined; rule: RuleLabel }[] = []
  const left: UnallowedPart[] = []
  for (const part of subject.parts) {
    if (part.kind === 'command' && part.command.transparent && part.command.doubts.length === 0) continue
    const rule = allowing(parts, rules, general, subject, part)
    const obstacle =
      rule === undefined
        ? {
            part,
            doubts: doubtsOf(part),
            reveals: parts.starter && reveals(part),
            ...steeredBy(parts, subject, part),
          }
        : obstacleOf(parts, subject, part, mode, rule)
    if (rule !== undefined && obstacle === undefined) allowed.push({ part, rule })
    else if (obstacle !== undefined) left.push(obstacle)
  }
  // To tell a secret by a test is what the starter does not vouch for. Somebody who allowed the commands has said that they trust them.
  const tells = (subject.reading?.tells ?? []).length > 0
  if (tells && allowed.some(({ rule }) => !isOwn(rule)))
    left.push({ part: undefined, doubts: [], reveals: true })
  const stray = strayDoubts(subject)
  if (stray.length > 0) left.push({ part: undefined, doubts: stray })
  // A line of wrappers alone runs nothing that was looked at.
  if (allowed.length === 0 && left.length === 0) left.push({ part: undefined, doubts: [] })
  return { allowed, left }
}

function allowing(
  parts: JudgeRules,
  rules: ToolRules | undefined,
  general: readonly CompiledRule[],
  subject: CallSubject,
  part: SubjectPart,
): RuleLabel | CompiledRule | undefined {
  const program = part.kind === 'command' ? part.command.program : undefined
  const candidates = [...general, ...(program === undefined ? [] : (rules?.byProgram.get(program) ?? []))]
  const holds = (rule: CompiledRule) => isAboutParts(rule) && rule.when.holds(subject, part, true) === 'yes'
  // One that names the very file says more than one that names whatever is called so.
  const named = candidates.find((one) => namesProgram(one, subject, part, parts.roots) && holds(one))
  const rule = named ?? candidates.find(holds) ?? editorRule(parts, subject, part)
  if (rule !== undefined || !parts.starter || part.kind !== 'command') return rule
  return onlyReads(subject, part, parts.roots) ? readerLabel(part) : undefined
}

/** Whether a rule names the program of the command by its path: then that it is named so is no doubt. */
function namesProgram(
  rule: RuleLabel | CompiledRule,
  subject: CallSubject,
  part: SubjectPart,
  roots: readonly string[],
): boolean {
  if (part.kind !== 'command' || !('when' in rule)) return false
  return rule.when.programPaths.some((path) => isProgramAt(part.command, path, subject, roots))
}

function steeredBy(
  parts: JudgeRules,
  subject: CallSubject,
  part: SubjectPart,
): Pick<UnallowedPart, 'steeredBy'> {
  if (!parts.starter || part.kind !== 'command' || subject.steered.size === 0) return {}
  const { steeredBy: groups } = judgeCommand(subject, part, parts.roots)
  return groups === undefined ? {} : { steeredBy: groups }
}

function readerLabel(part: CommandPart): RuleLabel {
  return { kind: 'allow', name: `starter: ${part.command.program}`, pointer: undefined }
}

/** What stands in the way of a part although a rule allows it. */
function obstacleOf(
  parts: JudgeRules,
  subject: CallSubject,
  part: SubjectPart,
  mode: Mode,
  rule: RuleLabel | CompiledRule,
): UnallowedPart | undefined {
  if (part.kind !== 'command') return undefined
  const isNamed = namesProgram(rule, subject, part, parts.roots)
  const doubts = doubtsOf(part).filter(({ kind }) => !isNamed || kind !== 'program by path')
  if (doubts.length > 0) return { part, doubts }
  for (const redirection of part.command.redirections) {
    if (redirection.kind !== 'write') continue
    if (!mayWrite(parts, subject, part, redirection.target, mode)) {
      return { part, doubts, writes: redirection.target ?? redirection.text }
    }
  }
  return byOptions(parts, subject, part, mode, rule)
}

/** What options write or delete is not what the program was allowed for, unless the allow says so word for word. */
function byOptions(
  parts: JudgeRules,
  subject: CallSubject,
  part: CommandPart,
  mode: Mode,
  rule: RuleLabel | CompiledRule,
): UnallowedPart | undefined {
  const { command } = part
  const isSaid = (words: readonly ShellWord[]) =>
    'when' in rule && rule.when.commandPatterns.some((pattern) => saysWords(pattern, command, words))
  for (const { path, text, words, isMount } of writesOf(command)) {
    if (isSaid(words) || mayWrite(parts, subject, part, path, isMount ? 'acceptEdits' : mode)) continue
    return { part, doubts: [], writes: path ?? text }
  }
  // What only reads was looked at word by word.
  const isOpen = (word: ShellWord) => !isSaid([word]) && !isOneNumber(word) && !areCommits(word, command)
  const open = 'when' in rule ? doubtfulOptionsOf(command).find(isOpen) : undefined
  if (open !== undefined) return { part, doubts: [], mayBeOption: open.text }
  const loading = loadsOf(command).find((words) => !isSaid(words))
  if (loading !== undefined) return { part, doubts: [], loads: loading.map(({ text }) => text).join(' ') }
  const deletion = deletionsOf(command).find((word) => !isSaid([word]))
  return deletion === undefined ? undefined : { part, doubts: [], deletes: deletion.text }
}

/** A redirection is an edit: it needs an allow for an editing tool there, or a mode that accepts edits. */
function mayWrite(
  parts: JudgeRules,
  subject: CallSubject,
  part: CommandPart,
  target: string | undefined,
  mode: Mode,
): boolean {
  const mention = part.mentions.find((one) => one.access === 'write' && one.text === target)
  const resolved = mention === undefined ? undefined : subject.resolved(mention)
  if (target === undefined || mention === undefined || resolved === undefined) return false
  if (mode === 'acceptEdits' && isInside(resolved, parts.roots)) return true
  return (
    ruleForEditors(parts, subject, { kind: 'path', text: target, access: 'write', resolved }) !== undefined
  )
}

/** A patch is an edit too, and what is allowed to the tools that edit is allowed to it. */
function editorRule(parts: JudgeRules, subject: CallSubject, part: SubjectPart): CompiledRule | undefined {
  const isPatch = part.kind === 'path' && (subject.entry?.patches.length ?? 0) > 0
  return isPatch ? ruleForEditors(parts, subject, part) : undefined
}

function ruleForEditors(
  parts: JudgeRules,
  subject: CallSubject,
  part: SubjectPart,
): CompiledRule | undefined {
  for (const tool of EDITORS) {
    const editing = asEditor(subject, tool, part)
    const rules = parts.allow.forTool(tool)?.general ?? []
    const rule = rules.find(({ when }) => when.aboutParts && when.holds(editing, part, true) === 'yes')
    if (rule !== undefined) return rule
  }
  return undefined
}

function asEditor(subject: CallSubject, tool: string, written: SubjectPart): CallSubject {
  const call = { ...subject.call, tool }
  return { ...subject, call, entry: AS_EDITOR, reading: undefined, parts: [written] }
}

const AS_EDITOR = entryOf({ kind: 'edit', path: '/path' })

function reveals(part: SubjectPart): boolean {
  return part.kind === 'command' && mayReveal(part.command)
}

function doubtsOf(part: SubjectPart): readonly Doubt[] {
  return part.kind === 'command' ? part.command.doubts : []
}

/** Doubts about the line that belong to none of its commands. */
function strayDoubts(subject: CallSubject): Doubt[] {
  const owned = new Set(commandsOf(subject).flatMap((part) => part.command.doubts))
  return (subject.reading?.doubts ?? []).filter((doubt) => !owned.has(doubt))
}
