/**
 * Why a verdict is what it is. A reason goes into the journal and to the model, so a command is named by its program and
 * sub-command, never with its arguments, among which there may be secrets.
 */

import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { isMode } from '../language/language.ts'
import { isInside } from '../matchers/inside-roots.ts'
import type { CallSubject, SubjectPart } from '../subject/subject.ts'
import { strangenessReason } from '../tools/known-arguments.ts'
import {
  type CallFindings,
  HIDING_DOUBTS,
  NOT_UNDERSTOOD,
  type RuleFinding,
  type UnallowedPart,
} from './findings.ts'
import { whyNotReading, whySteered } from './judge-command.ts'
import { doubtReason, nameCommand } from './named-commands.ts'
import type { VerdictOptions } from './verdict-of.ts'

export function denialReason(tool: string, { rule, parts, reach }: RuleFinding): Reason {
  if (rule.reason !== undefined) return reasonOf('deny.written', { words: writtenFor(rule.reason, tool) })
  const why = rule.why ?? reach
  return why === undefined
    ? reasonOf('deny.listed', { what: nameParts(tool, parts) })
    : reasonOf('deny', { why })
}

export function modeDenialReason(mode: string, why: Reason): Reason {
  if (!isMode(mode)) return reasonOf('deny.mode', { why })
  return reasonOf(mode === 'plan' ? 'deny.plan' : 'deny.unasked', { why })
}

export function askReason(
  subject: CallSubject,
  asks: readonly RuleFinding[],
  left: readonly UnallowedPart[],
  options: VerdictOptions,
): Reason {
  const { tool } = subject.call
  const rules = [...new Map(asks.map(({ rule }) => [rule.name, rule])).values()]
  const reasons = rules.flatMap(({ reason, why }) =>
    reason === undefined ? (why ?? []) : written(reason, tool),
  )
  if (reasons.length > 0) {
    if (rules.every(({ reason, why }) => reason !== undefined || why === undefined))
      return writtenAsk(reasons)
    return reasonOf('ask', { why: reasons.length === 1 ? reasons[0]! : reasons })
  }
  if (options.reason !== undefined) return reasonOf('ask.written', { words: options.reason.join(tool) })
  const [first] = asks
  if (first?.rule.name.startsWith('mode: '))
    return reasonOf('ask', { why: unmatched(subject, left[0], options) })
  const what = nameParts(tool, first?.parts ?? [])
  if (first?.holds === 'unknown')
    return reasonOf('ask', { why: reasonOf('why.may-match', { what, unknown: whyUnknown(subject, first) }) })
  if (first?.reach !== undefined) return reasonOf('ask', { why: first.reach })
  return reasonOf('ask.listed', { what })
}

/** In the words of the policy's author, which stand as they are. */
function written(words: string, tool: string): Reason {
  return reasonOf('written', { words: writtenFor(words, tool) })
}

function writtenFor(words: string, tool: string): string {
  return words.split('{tool}').join(tool)
}

function writtenAsk(reasons: readonly Reason[]): Reason {
  return reasonOf('ask.written', { words: reasons.length === 1 ? reasons[0]!.values!.words! : reasons })
}

/** What would have to be known. */
function whyUnknown(
  { call, facts, reading, parts, strange }: CallSubject,
  { rule, reach }: RuleFinding,
): Reason {
  if (rule === NOT_UNDERSTOOD && strange !== undefined) return strangenessReason(strange)
  // Beside this nothing else about the line matters.
  if (reading?.doubts.some(({ kind }) => kind === 'too long')) return doubtReason('too long')
  const hiding = reading?.doubts.find(({ kind }) => HIDING_DOUBTS.has(kind))
  if (rule === NOT_UNDERSTOOD && hiding !== undefined) return doubtReason(hiding.kind)
  if (reach !== undefined) return reach
  const isLate = (part: SubjectPart) =>
    part.kind === 'command' && part.command.words.some(({ value }) => value === undefined)
  if (parts.some(isLate)) return reasonOf('unknown.word')
  if (call.cwd === undefined) return reasonOf('unknown.folder')
  if (facts?.words === undefined && facts?.paths === undefined) return reasonOf('unknown.paths')
  return reasonOf('unknown.compared')
}

export function allowReason(tool: string, allowed: CallFindings['allowed']): Reason {
  const parts = allowed.flatMap(({ part }) => part ?? [])
  if (parts.length > 1) return reasonOf('allow.parts', { what: tool })
  const what = nameParts(tool, parts)
  const isReader = parts.length === 1 && allowed.every(({ rule }) => rule.name.startsWith('starter: '))
  return reasonOf(isReader ? 'allow.reads' : 'allow.listed', { what })
}

export function modeAllowReason(mode: string, tool: string): Reason {
  return reasonOf(isMode(mode) ? ALLOWS[mode] : 'allow.mode', { what: tool })
}

const ALLOWS = {
  default: 'allow.mode',
  dontAsk: 'allow.mode',
  acceptEdits: 'allow.edits',
  plan: 'allow.plan',
  bypass: 'allow.bypass',
} as const

/** Why nothing allows it: the first true reason, without anything that may be a secret. */
export function unmatched(
  subject: CallSubject,
  one: UnallowedPart | undefined,
  options: VerdictOptions,
): Reason {
  const { tool } = subject.call
  const { strange } = subject
  if (strange !== undefined) return reasonOf('why.doubt', { what: tool, doubt: strangenessReason(strange) })
  const what = one?.part === undefined ? tool : nameParts(tool, [one.part])
  const [doubt] = one?.doubts ?? []
  if (doubt !== undefined) return reasonOf('why.doubt', { what, doubt: doubtReason(doubt.kind) })
  if (one?.steeredBy !== undefined) return reasonOf('why.steered', { what, why: whySteered(one.steeredBy) })
  if (one?.deletes !== undefined) return reasonOf('why.deletes', { what })
  if (one?.loads !== undefined) return reasonOf('why.loads', { what })
  if (one?.mayBeOption !== undefined) return reasonOf('why.may-be-option', { what })
  if (one?.writes !== undefined) return reasonOf('why.writes', { what })
  if (one?.reveals === true) return reasonOf('why.reveals', { what })
  const code = one?.part === undefined ? undefined : misplaced(subject, one.part, options)
  return reasonOf(code ?? 'why.unlisted', { what })
}

/** What is the matter with where a part leads, or with a command where those that only read are allowed. */
function misplaced(
  subject: CallSubject,
  part: SubjectPart,
  { mode, roots, starter = false }: VerdictOptions,
) {
  const kind = subject.entry?.kind
  const isFolderless = subject.call.cwd === undefined
  if (part.kind === 'path' && (kind === 'read' || kind === 'edit')) {
    if (part.resolved === undefined) return isFolderless ? 'why.folderless' : undefined
    return isInside(part.resolved, roots) ? undefined : 'why.outside'
  }
  if (part.kind !== 'command' || !(starter || mode === 'plan')) return undefined
  switch (whyNotReading(subject, part, roots)) {
    case 'outside':
      return 'why.reaches-outside'
    case 'somewhere':
      return isFolderless ? 'why.folderless' : 'why.maybe-outside'
    case 'other':
      return 'why.not-read-only'
  }
}

/** Of one part as much as can't be a secret; else the tool. */
function nameParts(tool: string, parts: readonly SubjectPart[]): string {
  const [part] = parts
  if (part === undefined || parts.length > 1) return tool
  if (part.kind === 'command') return nameCommand(part.command.program, part.command.words[0]?.value) ?? tool
  return /^[\w./~:-]{1,80}$/.test(part.text) ? part.text : tool
}
