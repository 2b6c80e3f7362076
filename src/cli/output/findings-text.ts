/** What was found out about an installation, a line each. */
import type { Finding } from '../../core/support/finding.ts'
import { rendered } from './safe-text.ts'
import type { Terminal, TextStyle } from './terminal.ts'

const MARKS: Readonly<Record<Finding['kind'], { mark: string; style: TextStyle }>> = {
  ok: { mark: 'ok  ', style: 'green' },
  warning: { mark: 'warn', style: 'yellow' },
  problem: { mark: 'FAIL', style: 'red' },
}

export function printFindings(findings: readonly Finding[], terminal: Terminal): void {
  for (const { kind, about, detail, advice } of findings) {
    const { mark, style } = MARKS[kind]
    terminal.print(`${terminal.paint(style, mark)}  ${about}: ${rendered(detail)}`)
    if (advice !== undefined) terminal.print(`      ${rendered(advice)}`)
  }
}
