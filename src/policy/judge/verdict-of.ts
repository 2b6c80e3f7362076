/**
 * Makes a verdict of what was found: the strictest of it holds. What it says goes into the journal and to the model,
 * so a command is named by its program and sub-command, never with its arguments, among which there may be secrets.
 */

import { APPROVAL_DECISIONS } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import type { Mode } from '../../core/session.ts'
import {
  type ApprovalCondition,
  type AskTerms,
  type AskVerdict,
  GRANT_WIDTHS,
  type GrantWidth,
  listRules,
  SCOPES,
  SEVERITIES,
  type Severity,
  type Verdict,
} from '../../core/verdict.ts'
import type { RuleLabel } from '../compile/compile-rules.ts'
import { isMode } from '../language/language.ts'
import { isInside } from '../matchers/inside-roots.ts'
import type { DoubtKind } from '../shell/reading.ts'
import { REVEALS } from '../starter/reveals.ts'
import type { CallSubject, SubjectPart } from '../subject/subject.ts'
import { strangenessWords } from '../tools/known-arguments.ts'
import {
  type CallFindings,
  HIDING_DOUBTS,
  NOT_KNOWN,
  NOT_UNDERSTOOD,
  type RuleFinding,
  type UnallowedPart,
} from './findings.ts'
import { lineOnlyReads, whyNotReading, whySteered } from './judge-command.ts'
import { severityOfLine } from './line-severity.ts'

export interface VerdictOptions {
  /** As the session or the policy says it. */
  mode: string
  roots: readonly string[]
  /** The policy's own words for asking, cut at `{tool}`. */
  reason: readonly string[] | undefined
  /** Whether commands that only read are allowed. */
  starter?: boolean
}

export function verdictOf(judgement: CallFindings, subject: CallSubject, options: VerdictOptions): Verdict {
  const { denies, asks, allowed, left } = judgement
  const { tool } = subject.call
  const [denial] = denies
  if (denial !== undefined) return deny(tool, denial)
  const byMode = left.length === 0 ? 'allow' : modeVerdict(options.mode, subject, options.roots)
  const modeRule = modeLabel(options.mode)
  if (byMode === 'deny') {
    const [first] = left
    return {
      kind: 'deny',
      because: `${first !== undefined && isAskedFor(first, asks) ? onlyAsked(tool) : unmatched(subject, first, options)}, and ${modeDenies(options.mode)} (${modeRule.name})`,
      rule: modeRule.name,
    }
  }
  const asking =
    byMode === 'ask' && left.some((one) => !isAskedFor(one, asks)) ? [...asks, modeFinding(modeRule)] : asks
  if (asking.length > 0) return ask(subject, asking, left, options)
  if (left.length > 0) return allowByMode(subject, left[0], options.mode, modeRule.name)
  return allow(tool, allowed)
}

/** What the mode does to a call that no list and no rule speaks of. */
export function modeVerdict(mode: string, subject: CallSubject, roots: readonly string[]): Verdict['kind'] {
  if (!isMode(mode)) return 'deny'
  const isStrange = subject.strange !== undefined
  switch (mode) {
    case 'default':
      return 'ask'
    case 'acceptEdits':
      return subject.entry?.kind === 'edit' && !isStrange && allInside(subject, roots) ? 'allow' : 'ask'
    case 'plan':
      if (isStrange) return 'deny'
      if (subject.entry?.kind === 'read') return allInside(subject, roots) ? 'allow' : 'deny'
      return subject.entry?.kind === 'shell' && lineOnlyReads(subject, roots) ? 'allow' : 'deny'
    case 'dontAsk':
      return 'deny'
    case 'bypass':
      return 'allow'
  }
}

function allInside(subject: CallSubject, roots: readonly string[]): boolean {
  return subject.parts.every(
    (part) => part.kind === 'path' && part.resolved !== undefined && isInside(part.resolved, roots),
  )
}

/** A rule that asks about the call, or about this part of it, asks in place of the mode. */
export function isAskedFor(one: UnallowedPart, asks: readonly RuleFinding[]): boolean {
  return asks.some(
    ({ rule, parts }) =>
      rule.kind === 'ask' &&
      rule !== NOT_UNDERSTOOD &&
      rule !== NOT_KNOWN &&
      (parts.length === 0 || (one.part !== undefined && parts.includes(one.part))),
  )
}

export function modeLabel(mode: string): RuleLabel {
  return { kind: 'ask', name: `mode: ${isMode(mode) ? mode : 'unknown'}`, pointer: undefined }
}

function modeFinding(rule: RuleLabel): RuleFinding {
  return { rule, holds: 'yes', parts: [] }
}

function deny(tool: string, { rule, parts, reach }: RuleFinding): Verdict {
  const what = `${aboutParts(tool, parts)} is denied`
  const why = rule.reason?.split('{tool}').join(tool) ?? reach
  const because = why === undefined ? what : `${what}: ${why}`
  return { kind: 'deny', because: `${because} (${rule.name})`, rule: rule.name }
}

function ask(
  subject: CallSubject,
  asks: readonly RuleFinding[],
  left: readonly UnallowedPart[],
  options: VerdictOptions,
): AskVerdict {
  const { tool } = subject.call
  const rules = [...new Map(asks.map(({ rule }) => [rule.name, rule])).values()]
  const [first] = asks
  const names = rules.map((rule) => rule.name)
  const reasons = rules.flatMap((rule) => rule.reason ?? [])
  const words =
    reasons.length > 0
      ? reasons.join('; ').split('{tool}').join(tool)
      : options.reason !== undefined
        ? options.reason.join(tool)
        : wordsFor(subject, first, left, options)
  return {
    kind: 'ask',
    because: `${words} (${listRules(names)})`,
    ...defined({ rule: names[0] }),
    terms: termsOf(rules, severityOfLine(subject)),
  }
}

function wordsFor(
  subject: CallSubject,
  first: RuleFinding | undefined,
  left: readonly UnallowedPart[],
  options: VerdictOptions,
): string {
  const { tool } = subject.call
  if (first?.rule.name.startsWith('mode: '))
    return `${unmatched(subject, left[0], options)}, so a person is asked`
  if (first?.holds !== 'unknown') {
    const reach = first?.reach === undefined ? '' : `: ${first.reach}`
    return `a person is asked about ${aboutParts(tool, first?.parts ?? [])}${reach}`
  }
  return `whether a rule is about ${aboutParts(tool, first.parts)} can't be told beforehand, so a person is asked: ${whyUnknown(subject, first)}`
}

/** What would have to be known. */
function whyUnknown(
  { call, facts, reading, parts, strange }: CallSubject,
  { rule, reach }: RuleFinding,
): string {
  if (rule === NOT_UNDERSTOOD && strange !== undefined) return strangenessWords(strange)
  // Beside this nothing else about the line matters.
  if (reading?.doubts.some(({ kind }) => kind === 'too long')) return DOUBT_WORDS['too long']
  const hiding = reading?.doubts.find(({ kind }) => HIDING_DOUBTS.has(kind))
  if (rule === NOT_UNDERSTOOD && hiding !== undefined) return DOUBT_WORDS[hiding.kind]
  if (reach !== undefined) return reach
  if (
    parts.some(
      (part) => part.kind === 'command' && part.command.words.some(({ value }) => value === undefined),
    )
  ) {
    return 'a word of it is known only when the line runs'
  }
  if (call.cwd === undefined) return 'the call does not say in which folder it is meant (cwd)'
  if (facts?.words === undefined && facts?.paths === undefined)
    return 'where its paths lead was not looked up'
  return 'something in it can not be compared'
}

/** All of them hold: every rule's approvers and quorum, and of the rest the strictest. */
function termsOf(rules: readonly RuleLabel[], danger: Severity | undefined): AskTerms {
  const terms = rules.map((rule) => rule.terms)
  const limits = terms.flatMap((one) => one?.expiresInMs ?? [])
  const claims = terms.flatMap((one) => one?.claimWithinMs ?? [])
  const severities = [danger ?? 'normal', ...terms.flatMap((one) => one?.severity ?? [])]
  const chats = terms.flatMap((one) => one?.chats ?? [])
  const widest = GRANT_WIDTHS.find((width: GrantWidth) => terms.some((one) => one?.widestGrant === width))
  return {
    conditions: rules.map(conditionOf),
    allowedDecisions: APPROVAL_DECISIONS.filter((decision) =>
      terms.every((one) => one?.allowedDecisions?.includes(decision) ?? true),
    ),
    scopes: SCOPES.filter((scope) => terms.every((one) => one?.scopes?.includes(scope) ?? true)),
    severity: SEVERITIES.findLast((severity) => severities.includes(severity)) ?? 'normal',
    ...(limits.length > 0 ? { expiresInMs: Math.min(...limits) } : {}),
    ...(claims.length > 0 ? { claimWithinMs: Math.min(...claims) } : {}),
    ...defined({ widestGrant: widest }),
    ...(chats.length > 0 ? { chats: [...new Set(chats)] } : {}),
  }
}

export function conditionOf({ name, terms }: RuleLabel): ApprovalCondition {
  return {
    rule: name,
    quorum: terms?.quorum ?? 1,
    ...(terms?.approvers === undefined ? {} : { approvers: terms.approvers }),
  }
}

function allow(tool: string, allowed: CallFindings['allowed']): Verdict {
  const rules = [...new Set(allowed.map(({ rule }) => rule.name))]
  const parts = allowed.flatMap(({ part }) => part ?? [])
  const what = parts.length > 1 ? `every part of ${tool} is allowed` : `${aboutParts(tool, parts)} is allowed`
  return {
    kind: 'allow',
    because: `${what} (${listRules(rules)})`,
    ...defined({ rule: rules[0] }),
  }
}

function allowByMode(
  subject: CallSubject,
  first: UnallowedPart | undefined,
  mode: string,
  rule: string,
): Verdict {
  const why: Partial<Record<Mode, string>> = {
    acceptEdits: 'edits inside the workspace are accepted',
    plan: 'it only reads',
    bypass: 'all such tools are allowed',
  }
  const because = `${unmatched(subject, first)}, and ${why[mode as Mode] ?? 'the mode allows it'} (${rule})`
  return { kind: 'allow', because, rule }
}

function modeDenies(mode: string): string {
  if (!isMode(mode)) return "the session's mode is not one that is known"
  return mode === 'plan' ? 'only what reads inside the workspace is allowed' : 'what is not allowed is denied'
}

/** A list that asks does not allow. */
export function onlyAsked(tool: string): string {
  return `a list asks about ${tool} and none allows it`
}

/** Why nothing allows it: the first true reason, in words without anything that may be a secret. */
function unmatched(subject: CallSubject, one: UnallowedPart | undefined, options?: VerdictOptions): string {
  const { tool } = subject.call
  const { strange } = subject
  if (strange !== undefined) return `${tool} can't be vouched for: ${strangenessWords(strange)}`
  const what = one?.part === undefined ? tool : aboutParts(tool, [one.part])
  const [doubt] = one?.doubts ?? []
  if (doubt !== undefined) return `${what} can't be vouched for: ${DOUBT_WORDS[doubt.kind]}`
  if (one?.steeredBy !== undefined) return `${what} is no longer vouched for: ${whySteered(one.steeredBy)}`
  if (one?.deletes !== undefined) return `${what} deletes files by an option that no allow names`
  if (one?.mayBeOption !== undefined) return `${what} may be given an option that writes or runs something`
  if (one?.writes !== undefined) return `${what} writes a file that nothing allows to be written`
  if (one?.reveals === true) return `${what} ${REVEALS}`
  const place =
    one?.part === undefined || options === undefined ? undefined : misplaced(subject, one.part, options)
  return place === undefined ? `no list names ${what}` : `${what} ${place}`
}

/** What is the matter with where a part leads, or with a command where those that only read are allowed. */
function misplaced(
  subject: CallSubject,
  part: SubjectPart,
  { mode, roots, starter = false }: VerdictOptions,
): string | undefined {
  const kind = subject.entry?.kind
  const isFolderless = subject.call.cwd === undefined
  if (part.kind === 'path' && (kind === 'read' || kind === 'edit')) {
    if (part.resolved === undefined) return isFolderless ? FOLDERLESS : undefined
    return isInside(part.resolved, roots) ? undefined : 'is outside the roots'
  }
  if (part.kind !== 'command' || !(starter || mode === 'plan')) return undefined
  switch (whyNotReading(subject, part, roots)) {
    case 'outside':
      return 'reaches outside the roots'
    case 'somewhere':
      return isFolderless ? FOLDERLESS : "can't be checked: it is not known whether it stays inside the roots"
    case 'other':
      return "isn't known to be read-only"
  }
}

const FOLDERLESS = "can't be checked: the call does not say in which folder it is meant (cwd)"

const DOUBT_WORDS: Readonly<Record<DoubtKind, string>> = {
  unparsable: 'the line could not be read',
  'too long': 'the line is too long to be checked',
  'control character': 'there is a control character in the line',
  'unknown program': 'which program runs is known only when the line runs',
  'program by path': 'the program is outside the folders of the system',
  assignment: 'it sets a variable',
  'inline code': 'it runs code that is not looked into',
  expansion: 'an expansion in it may run code',
  connection: 'it opens a connection',
  redefinition: 'it changes what names mean',
  'unknown wrapper': 'what it runs could not be made out',
}

/** The tool, and of one part as much as can't be a secret. */
function aboutParts(tool: string, parts: readonly SubjectPart[]): string {
  const [part] = parts
  if (part === undefined || parts.length > 1) return tool
  if (part.kind === 'command') {
    const { program, words } = part.command
    const [sub] = words
    const name = program !== undefined && /^[\w.+-]{1,40}$/.test(program) ? program : 'a command'
    const command = /^[a-z][a-z-]{1,19}$/.test(sub?.value ?? '') ? ` ${sub?.value}` : ''
    return `${name}${command} in ${tool}`
  }
  const plain = /^[\w./~:-]{1,80}$/.test(part.text)
  return plain ? `${tool} of ${part.text}` : tool
}
