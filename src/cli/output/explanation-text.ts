/** An explanation of a verdict, laid out for a person at a terminal. */

import { relative } from 'node:path'
import type { Verdict } from '../../core/verdict.ts'
import { sayReason } from '../../display/reasons/say-reason.ts'
import { widthOf } from '../../display/render-text.ts'
import type { Explanation } from '../../policy/policy.ts'
import { headline } from './headline.ts'
import { visible } from './safe-text.ts'
import type { Paint, TextStyle } from './terminal.ts'

type ExplainedKind = Verdict['kind']

const STYLES: Readonly<Record<ExplainedKind, TextStyle>> = { allow: 'green', ask: 'yellow', deny: 'red' }
/** As wide as the longest of the three words. */
const KIND_WIDTH = 5
const WIDEST_COLUMN = 48

export function explanationText(explanation: Explanation, paint: Paint, cwd: string): string[] {
  const { verdict, tool, mode, rules, commands = [] } = explanation
  const kind = (word: ExplainedKind) => paint(STYLES[word], word.padEnd(KIND_WIDTH))
  const lines = [paint('bold', paint(STYLES[verdict.kind], headline(explanation)))]
  if (verdict.kind === 'ask') lines.push(...askLines(verdict, paint))
  if (commands.length > 0) {
    lines.push('', paint('bold', 'Commands'))
    const width = columnWidth(commands.map(({ text }) => visible(text)))
    for (const command of commands) {
      const through = command.through.length === 0 ? '' : ` (through ${command.through.join(', ')})`
      const rule = command.rule === undefined ? '' : ` (${command.rule})`
      const why = `${sayReason(command, 'en')}${rule}${through}`
      lines.push(
        `  ${kind(command.verdict)}  ${pad(visible(command.text), width)}  ${paint('dim', visible(why))}`,
      )
    }
  }
  const doubts = (explanation.doubts ?? []).map((doubt) => `${doubt.kind}: ${sayReason(doubt, 'en')}`)
  if (doubts.length > 0) {
    lines.push('', paint('bold', 'Doubts'))
    lines.push(...[...new Set(doubts)].map((doubt) => `  ${visible(doubt)}`))
  }
  if (rules.length > 0) {
    lines.push('', paint('bold', 'Matching rules, strictest first'))
    const width = columnWidth(rules.map(({ rule }) => visible(rule)))
    for (const { rule, kind: what, holds, decided, place } of rules) {
      const notes = [
        ...(place === undefined ? [] : [`${nearer(place.file, cwd)}:${place.line}:${place.column}`]),
        ...(holds === 'unknown' ? ['may match (unknown until it runs)'] : []),
        ...(decided ? ['decided'] : []),
      ]
      lines.push(
        `  ${kind(what)}  ${pad(visible(rule), width)}  ${paint('dim', visible(notes.join(', ')))}`.trimEnd(),
      )
    }
  }
  const known = tool.known ? (tool.kind ?? 'known, without a kind') : 'not known to the policy'
  lines.push('', paint('dim', `Tool: ${visible(tool.name)} (${known}). Mode: ${visible(mode)}`))
  return lines
}

function askLines({ terms }: Extract<Verdict, { kind: 'ask' }>, paint: Paint): string[] {
  const rulesOf = new Map<string, string[]>()
  for (const { rule, approvers, quorum } of terms.conditions) {
    const whose = approvers === undefined ? 'the owner or any approver' : approvers.join(' or ')
    const who = `${quorum === 1 ? 'one approval' : `${quorum} approvals`}, from ${whose}`
    rulesOf.set(who, [...(rulesOf.get(who) ?? []), visible(rule)])
  }
  const people = [...rulesOf].map(([who, rules]) => `  ${who} ${paint('dim', `(${rules.join(', ')})`)}`)
  return [...people, `  they may ${terms.allowedDecisions.join(', ')}; severity ${terms.severity}`]
}

/** The path as a person in this folder would write it. */
function nearer(file: string, cwd: string): string {
  const path = relative(cwd, file)
  return path.startsWith('..') ? file : path
}

function columnWidth(texts: readonly string[]): number {
  return Math.min(WIDEST_COLUMN, Math.max(...texts.map(columnsOf)))
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columnsOf(text)))
}

function columnsOf(text: string): number {
  return [...text].reduce((sum, character) => sum + widthOf(character), 0)
}
