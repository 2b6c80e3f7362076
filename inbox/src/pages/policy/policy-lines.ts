/** The policy's text line by line, each with what is to be said of it. */
import type { WirePolicy } from '../../../../src/client/index.ts'

export interface PolicyLine {
  number: number
  text: string
  warnings: string[]
  failedTests: FailedTest[]
}

type FailedTest = WirePolicy['tests']['failed'][number]

export interface PolicyLines {
  lines: PolicyLine[]
  /** Warnings that have no line, or one that is not there. */
  elsewhere: string[]
  failedElsewhere: FailedTest[]
}

export function policyLines({
  text,
  warnings,
  tests,
}: Pick<WirePolicy, 'text' | 'warnings' | 'tests'>): PolicyLines {
  const lines: PolicyLine[] = splitLines(text).map((line, index) => ({
    number: index + 1,
    text: line,
    warnings: [],
    failedTests: [],
  }))
  const at = (line: number | undefined) => (line === undefined ? undefined : lines[line - 1])
  const elsewhere: string[] = []
  const failedElsewhere: FailedTest[] = []
  for (const { message, line } of warnings) (at(line)?.warnings ?? elsewhere).push(message)
  for (const failed of tests.failed) (at(failed.line)?.failedTests ?? failedElsewhere).push(failed)
  return { lines, elsewhere, failedElsewhere }
}

/** The line break at the end of the last line begins no other. */
function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
