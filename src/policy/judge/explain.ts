/**
 * The verdict with all that led to it, for people: every rule that holds or may hold, where it stands, which one
 * decided, and for a shell line what each command came to.
 */
import { defined } from '../../core/defined.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { ExplainedCommand, ExplainedRule, Explanation, LocateRule } from '../policy.ts'
import { commandsOf } from '../subject/command-parts.ts'
import { lineArgumentsOf } from '../subject/line-arguments.ts'
import type { CallSubject, CommandPart, SubjectPart } from '../subject/subject.ts'
import { strangenessWords } from '../tools/known-arguments.ts'
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
          doubts: [...subject.reading.doubts],
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
  return commandsOf(subject).map((part) => commandOf(part, found, explained))
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
    doubts: [...command.doubts],
  }
  const denial = found.denial(part)
  if (denial !== undefined)
    return {
      ...base,
      verdict: 'deny',
      ...because(denial.rule.name, denial.rule.reason ?? denial.reach ?? 'denied'),
    }
  const ask = found.ask(part)
  if (ask !== undefined) {
    return { ...base, verdict: 'ask', ...because(ask.rule.name, whyAsked(ask, part)) }
  }
  const left = found.left(part)
  if (left !== undefined) {
    const verdict = modeVerdict(explained.mode, explained.subject, explained.roots)
    const { strange } = explained.subject
    const why =
      left.doubts[0]?.because ??
      (strange === undefined ? undefined : strangenessWords(strange)) ??
      (left.deletes === undefined ? undefined : `no allow names ${left.deletes}, which deletes files`) ??
      (left.mayBeOption === undefined
        ? undefined
        : `\`${left.mayBeOption}\` may come to an option that writes or runs something; write -- or ./ before it`) ??
      (left.writes === undefined
        ? whyNotAllowed(part, explained)
        : `nothing allows ${left.writes} to be written`)
    const words = verdict === 'allow' ? 'the mode allows it' : why
    return { ...base, verdict, ...because(`mode: ${explained.mode}`, words) }
  }
  const allowed = found.allowed(part)
  if (allowed !== undefined) return { ...base, verdict: 'allow', ...because(allowed.rule.name, 'allowed') }
  return { ...base, verdict: 'allow', because: 'it only runs what follows it' }
}

function whyNotAllowed(part: CommandPart, { subject, roots, starter }: Explained): string {
  if (!starter) return 'not on the allow list'
  const { kind, why } = judgeCommand(subject, part, roots)
  if (kind !== 'reads') return why
  // The program would only read. What it is given by a redirection is elsewhere.
  return whyNotReading(subject, part, roots) === 'outside'
    ? 'it reads outside the roots'
    : 'it is not known whether it reads inside the roots'
}

function whyAsked({ rule, holds, reach }: RuleFinding, { command }: CommandPart): string {
  if (holds === 'yes' || rule.name === READS_BELOW) return rule.reason ?? reach ?? 'asked'
  const [doubt] = command.doubts
  if (rule === NOT_UNDERSTOOD && doubt !== undefined) return doubt.because
  if (rule === NOT_KNOWN) return 'rules may match it (unknown until it runs)'
  return reach ?? 'this rule may match it (unknown until it runs)'
}

function because(rule: string, why: string): { because: string; rule: string } {
  return { because: why, rule }
}
