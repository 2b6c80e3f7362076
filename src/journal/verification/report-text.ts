/** What a verification found, in words for a terminal: first how much of it is proof, then what is wrong. */

import { nameRange, quoteName } from '../problems.ts'
import type { ChainReport } from './chain-check.ts'
import type { JournalReport } from './verify-journal.ts'

export function describeReport(report: JournalReport): string {
  const lines = [
    `${count(report.chains.length, 'chain')}, ${count(report.entries, 'entry', 'entries')}, ${count(report.requests, 'request')}`,
  ]
  for (const chain of report.chains) {
    lines.push('', `chain ${quoteName(chain.chain)}: ${count(chain.entries, 'entry', 'entries')}`)
    lines.push(`  ${describeProof(chain)}`, ...listProblems(chain))
  }
  if (report.problems.length > 0) lines.push('', 'across the chains:', ...listProblems(report))
  lines.push('', conclude(report))
  return `${lines.join('\n')}\n`
}

/** Up to where the chain is proven, up to where it only agrees with itself, and what nothing speaks for. */
function describeProof({ entries, head, provenUpTo, vouchedUpTo }: ChainReport): string {
  const last = Math.max(head?.n ?? entries, provenUpTo)
  const vouched = Math.max(vouchedUpTo, provenUpTo)
  const parts = [
    provenUpTo === 0
      ? 'nothing is proven by a signed checkpoint'
      : `proven by a signed checkpoint: ${nameRange(1, provenUpTo)}`,
  ]
  if (vouched > provenUpTo) parts.push(`confirmed by later entries: ${nameRange(provenUpTo + 1, vouched)}`)
  if (last > vouched) parts.push(`not confirmed by anything yet: ${nameRange(vouched + 1, last)}`)
  return parts.join('; ')
}

function listProblems({ problems, omitted }: Pick<ChainReport, 'problems' | 'omitted'>): string[] {
  const lines = problems.map(({ kind, message }) => `  ! ${kind}: ${message}`)
  return omitted === 0 ? lines : [...lines, `  ! and ${omitted} more`]
}

function conclude(report: JournalReport): string {
  const total = [report, ...report.chains].reduce((sum, part) => sum + part.problems.length + part.omitted, 0)
  if (total > 0) return `${count(total, 'problem')} found: this is not the journal as it was written.`
  if (report.entries === 0) return 'The journal is empty.'
  if (report.chains.every((chain) => chain.provenUpTo === 0)) {
    return (
      'No problem found, but this is no proof: the journal agrees with itself, and whoever can rewrite all of it ' +
      'can make it do so. Proof needs signed checkpoints that were kept elsewhere, and the key that signed them.'
    )
  }
  return (
    'No problem found. Proof reaches as far as the signed checkpoints do; what comes after them only agrees with ' +
    'itself, and could have been cut off or rewritten by whoever can write the whole journal.'
  )
}

function count(number: number, one: string, many: string = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
