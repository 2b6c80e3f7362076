/** What becomes of a call that starts a coding agent: a person is asked each time, and some starts are denied. */

import { told } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { kept } from '../../core/support/kept.ts'
import type { DenyVerdict } from '../../core/verdict.ts'
import { argumentUse } from '../built-in-denies/argument-use.ts'
import { shortCommand } from '../built-in-denies/find-own-in-command.ts'
import { lineContextOf, linePlaceOf } from '../built-in-denies/line-context.ts'
import type { RuleLabel } from '../compile/compile-rules.ts'
import type { RuleFinding } from '../judge/findings.ts'
import { readShell } from '../shell/read/read-shell.ts'
import { commandsOf } from '../subject/command-parts.ts'
import type { CallSubject } from '../subject/subject.ts'
import { type AgentStart, agentStartsIn, MAY_START_AGENT } from './agent-starts.ts'

const STARTS_AGENT = 'built-in: starts an agent'

const NONE: readonly AgentStart[] = []

/** Asked for more than once for a call. */
const startsOf = kept(findStarts)

export function startsAgent(subject: CallSubject): boolean {
  return startsOf(subject).length > 0
}

export function denyAgentStart(subject: CallSubject): DenyVerdict | undefined {
  const start = startsOf(subject).find(({ bypass }) => bypass !== undefined)
  if (start?.bypass === undefined) return undefined
  const { agent, command, bypass } = start
  const reason = reasonOf('deny.agent-start', {
    command: shortCommand(command),
    agent: agent.name,
    option: bypass,
  })
  return { kind: 'deny', ...told(reason), rule: STARTS_AGENT }
}

export function agentStartAsks(subject: CallSubject): RuleFinding[] {
  const starts = startsOf(subject)
  const [first] = starts
  if (first === undefined) return []
  const commands = new Set(starts.map(({ command }) => command))
  const rule: RuleLabel = {
    kind: 'ask',
    name: STARTS_AGENT,
    pointer: undefined,
    why: reasonOf('agent-start', { agent: first.agent.name }),
    // Each start is another conversation: no answer holds for the next.
    terms: { quorum: 1, scopes: ['once'], widestGrant: 'call' },
  }
  return [{ rule, holds: 'yes', parts: commandsOf(subject).filter(({ command }) => commands.has(command)) }]
}

function findStarts(subject: CallSubject): readonly AgentStart[] {
  const { call, entry } = subject
  if (entry?.kind === 'read' || entry?.kind === 'edit' || entry?.kind === 'network') return NONE
  const settings = variablesOf(call.arguments)
  if (entry?.kind === 'shell') {
    const { text, reading } = lineContextOf(subject, linePlaceOf(entry))
    return MAY_START_AGENT.test(text.replace(/["'\\]/g, '')) ? agentStartsIn(text, reading, settings) : NONE
  }
  // Of a tool that is not known, whatever looks like a command is read as one.
  return commandsOfUnknown(call.tool, call.arguments).flatMap((line) =>
    agentStartsIn(line, readShell(line), settings),
  )
}

/** Variables that a call sets by an argument: `{ env: { HOME: '/tmp' } }`. */
function variablesOf(args: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(args).flatMap(([key, value]) =>
    /env/i.test(key) && typeof value === 'object' && value !== null ? Object.keys(value) : [],
  )
}

const MAX_LINES = 16

function commandsOfUnknown(tool: string, args: Readonly<Record<string, unknown>>): string[] {
  const lines: string[] = []
  const whole: string[] = []
  for (const [key, value] of Object.entries(args)) {
    if (argumentUse(tool, key) !== 'command') continue
    const words = (Array.isArray(value) ? value : [value]).filter((word) => typeof word === 'string')
    if (words.length > 0) lines.push(words.join(' '))
    whole.push(...words)
  }
  // A program beside its words: `{ command: 'npx', args: ['codex'] }`.
  return [...lines, ...(lines.length > 1 ? [whole.join(' ')] : [])]
    .filter((line) => MAY_START_AGENT.test(line))
    .slice(0, MAX_LINES)
}
