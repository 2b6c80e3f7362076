/**
 * The verdict with all that led to it, for people: every rule that holds or may hold, where it stands, which one
 * decided, and for a shell line what each command came to.
 */
import { defined } from '../../core/defined.ts'
import { told } from '../../core/reasons/english.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { RuleLabel } from '../compile/compile-rules.ts'
import type { ExplainedCommand, ExplainedDoubt, ExplainedRule, Explanation, LocateRule } from '../policy.ts'
import type { Doubt } from '../shell/reading.ts'
import { commandsOf } from '../subject/command-parts.ts'
import { lineArgumentsOf } from '../subject/line-arguments.ts'
import type { CallSubject, CommandPart, SubjectPart } from '../subject/subject.ts'
import { strangenessReason } from '../tools/known-arguments.ts'
import {
  type CallFindings,
  NOT_KNOWN,
  NOT_UNDERSTOOD,
  READS_BELOW,
  type RuleFinding,
  type UnallowedPart,
} from './findings.ts'
import { judgeCommand, whyNotReading } from './judge-command.ts'
import { modeVerdict } from './verdict-of.ts'

export interface Explained {
  verdict: Verdict
  subject: CallSubject
  mode: string
  roots: readonly string[]
  /** Whether programs that only read are allowed. */
  starter: boolean
  locate: LocateRule | undefined
}

export function explanationOf(explained: Explained, judged: () => CallFindings): Explanation {
  const { verdict, subject, mode } = explained
  const { entry, call } = subject
  const tool = {
    name: call.tool,
    known: entry !== undefined,
    ...(entry?.kind === undefined ? {} : { kind: entry.kind }),
  }
  // What is denied before any rule is looked at has nothing more to say.
  if (verdict.rule?.startsWith('built-in: ') && verdict.kind === 'deny') {
    const rule: ExplainedRule = { rule: verdict.rule, kind: 'deny', holds: 'yes', decided: true }
    return { verdict, tool, mode, rules: [rule] }
  }
  const judgement = judged()
  const place = subject.reading && entry && lineArgumentsOf(call, entry)
  return {
    verdict,
    tool,
    mode,
    rules: [...rulesOf(judgement, explained), ...modeRule(verdict)],
    ...(subject.reading === undefined
      ? {}
      : {
          commands: explainCommands(subject, judgement, explained),
          ...place,
          doubts: subject.reading.doubts.map(explainDoubt),
        }),
  }
}

function rulesOf(judgement: CallFindings, explained: Explained): ExplainedRule[] {
  const findings = [
    ...judgement.denies,
    ...judgement.asks.map((finding) => ({ ...finding, rule: { ...finding.rule, kind: finding.rule.kind } })),
    ...allowFindings(judgement),
  ]
  return findings.map(({ rule, holds, parts }) => {
    const place = rule.pointer === undefined ? undefined : explained.locate?.(rule.pointer)
    return {
      rule: rule.name,
      kind: rule.kind,
      holds,
      decided: decides(rule.kind, rule.name, explained.verdict),
      ...defined({ pointer: rule.pointer, place }),
      ...(parts.length === 0 ? {} : { about: parts.map((part) => part.text) }),
    }
  })
}

/** The mode stands in no list, but what it decided is shown with the rest. */
function modeRule(verdict: Verdict): ExplainedRule[] {
  const names =
    verdict.kind === 'ask' ? verdict.terms.conditions.map(({ rule }) => rule) : [verdict.rule ?? '']
  return names
    .filter((name) => name.startsWith('mode: '))
    .map((rule) => ({ rule, kind: verdict.kind, holds: 'yes', decided: true }))
}

function decides(kind: string, name: string, verdict: Verdict): boolean {
  if (verdict.kind === 'ask') return verdict.terms.conditions.some(({ rule }) => rule === name)
  return verdict.kind === kind && (verdict.kind === 'allow' || verdict.rule === name)
}

function allowFindings(judgement: CallFindings): RuleFinding[] {
  const byName = new Map<string, { rule: RuleFinding['rule']; parts: SubjectPart[] }>()
  for (const { part, rule } of judgement.allowed) {
    const found = byName.get(rule.name) ?? { rule, parts: [] }
    byName.set(rule.name, found)
    if (part !== undefined) found.parts.push(part)
  }
  return [...byName.values()].map((found) => ({ ...found, holds: 'yes' }))
}

/** A line may have a hundred thousand commands: what was found of each is looked up, not searched for. */
function explainCommands(
  subject: CallSubject,
  judgement: CallFindings,
  explained: Explained,
): ExplainedCommand[] {
  const about = new Map([...judgement.denies, ...judgement.asks].map((one) => [one, new Set(one.parts)]))
  const isAbout = (finding: RuleFinding, part: SubjectPart) => {
    const parts = about.get(finding)
    return parts === undefined || parts.size === 0 || parts.has(part)
  }
  const left = firstOfEach(judgement.left)
  const allowed = firstOfEach(judgement.allowed)
  const found: FoundByPart = {
    denial: (part) => judgement.denies.find((finding) => isAbout(finding, part)),
    ask: (part) =>
      judgement.asks.find(
        (finding) =>
          isAbout(finding, part) && (finding.rule !== NOT_UNDERSTOOD || part.command.doubts.length > 0),
      ),
    left: (part) => left.get(part),
    allowed: (part) => allowed.get(part) ?? allowed.get(undefined),
  }
  const changes = changesOfNames(subject)
  return commandsOf(subject).map((part) => {
    const command = commandOf(part, found, explained)
    const change = changes.find(({ end }) => end <= command.start)
    // Another program may run under its name.
    return command.verdict === 'allow' && change !== undefined
      ? { ...command, verdict: 'ask', ...told(change.reason), rule: NOT_UNDERSTOOD.name }
      : command
  })
}

/** Places of the line that change what programs run under the names that come after them. */
function changesOfNames({ reading }: CallSubject): readonly Doubt[] {
  const doubts = reading?.doubts ?? []
  return doubts.filter(({ kind }) => kind === 'assignment' || kind === 'redefinition')
}

interface FoundByPart {
  denial(part: CommandPart): RuleFinding | undefined
  ask(part: CommandPart): RuleFinding | undefined
  left(part: CommandPart): UnallowedPart | undefined
  allowed(part: CommandPart): CallFindings['allowed'][number] | undefined
}

function firstOfEach<T extends { part: SubjectPart | undefined }>(
  found: readonly T[],
): Map<SubjectPart | undefined, T> {
  return new Map(found.toReversed().map((one) => [one.part, one]))
}

/** What would become of the command if it were alone. */
function commandOf(part: CommandPart, found: FoundByPart, explained: Explained): ExplainedCommand {
  const { command } = part
  const base = {
    text: command.text,
    start: command.start,
    end: command.end,
    through: [...command.through],
    doubts: command.doubts.map(explainDoubt),
  }
  const denial = found.denial(part)
  if (denial !== undefined) {
    const { rule, reach } = denial
    return {
      ...base,
      verdict: 'deny',
      ...told(ruleReason(rule) ?? reach ?? reasonOf('command.denied')),
      rule: rule.name,
    }
  }
  const ask = found.ask(part)
  if (ask !== undefined) return { ...base, verdict: 'ask', ...told(whyAsked(ask, part)), rule: ask.rule.name }
  const left = found.left(part)
  if (left !== undefined) {
    const verdict = modeVerdict(explained.mode, explained.subject, explained.roots)
    const why = verdict === 'allow' ? reasonOf('command.by-mode') : whyLeft(left, part, explained)
    return { ...base, verdict, ...told(why), rule: `mode: ${explained.mode}` }
  }
  const allowed = found.allowed(part)
  if (allowed !== undefined)
    return { ...base, verdict: 'allow', ...told(reasonOf('command.allowed')), rule: allowed.rule.name }
  return { ...base, verdict: 'allow', ...told(reasonOf('command.only-runs-next')) }
}

function explainDoubt(doubt: Doubt): ExplainedDoubt {
  return { ...doubt, ...told(doubt.reason) }
}

/** In the words of the policy's author, or our own for what is built in. */
function ruleReason({ reason, why }: RuleLabel): Reason | undefined {
  return reason === undefined ? why : reasonOf('written', { words: reason })
}

function whyLeft(
  { doubts: [doubt], deletes, loads, mayBeOption, writes }: UnallowedPart,
  part: CommandPart,
  explained: Explained,
): Reason {
  const { strange } = explained.subject
  if (doubt !== undefined) return doubt.reason
  if (strange !== undefined) return strangenessReason(strange)
  if (deletes !== undefined) return reasonOf('command.deletes', { option: deletes })
  if (loads !== undefined) return reasonOf('command.loads', { option: loads })
  if (mayBeOption !== undefined) return reasonOf('command.may-be-option', { word: mayBeOption })
  return writes === undefined ? whyNotAllowed(part, explained) : reasonOf('command.writes', { file: writes })
}

function whyNotAllowed(part: CommandPart, { subject, roots, starter }: Explained): Reason {
  if (!starter) return reasonOf('command.unlisted')
  const { kind, why } = judgeCommand(subject, part, roots)
  if (kind !== 'reads') return why
  // The program would only read. What it is given by a redirection is elsewhere.
  const isOutside = whyNotReading(subject, part, roots) === 'outside'
  return reasonOf(isOutside ? 'command.reads-outside' : 'command.may-read-outside')
}

function whyAsked({ rule, holds, reach }: RuleFinding, { command }: CommandPart): Reason {
  if (holds === 'yes' || rule.name === READS_BELOW)
    return ruleReason(rule) ?? reach ?? reasonOf('command.asked')
  const [doubt] = command.doubts
  if (rule === NOT_UNDERSTOOD && doubt !== undefined) return doubt.reason
  if (rule === NOT_KNOWN) return reasonOf('command.may-match-some')
  return reach ?? reasonOf('command.may-match')
}
