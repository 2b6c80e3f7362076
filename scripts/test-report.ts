/** What the report of the tests says to whoever sees only the last lines of `npm test`. */
import { relative, sep } from 'node:path'

/** What is used of the JSON that vitest writes. */
export interface TestReport {
  testResults: readonly TestFile[]
}

interface TestFile {
  name: string
  status: string
  message: string
  assertionResults: readonly {
    ancestorTitles: readonly string[]
    title: string
    fullName: string
    status: string
    failureMessages?: readonly string[] | null
  }[]
}

const MOST_FAILURES = 50
const MOST_SKIPPED_GROUPS = 20

/** The tests that failed, each with its file, its name and the first lines of its error; the first fifty. */
export function failedTests({ testResults }: TestReport, root: string): string[] {
  return testResults
    .flatMap((file) => {
      const failed = file.assertionResults.filter(({ status }) => status === 'failed')
      const place = placeOf(file, root)
      if (failed.length === 0 && file.status === 'failed') return [`${place}\n${firstLines(file.message)}`]
      return failed.map(
        (test) => `${place} > ${test.fullName}\n${firstLines((test.failureMessages ?? []).join('\n'))}`,
      )
    })
    .slice(0, MOST_FAILURES)
}

/** How many tests were left out in which part of which file, and why where their names say it: most first, not all. */
export function skippedTests({ testResults }: TestReport, root: string): string[] {
  const counts = new Map<string, number>()
  for (const file of testResults) {
    for (const { status, ancestorTitles, title } of file.assertionResults) {
      if (status === 'passed' || status === 'failed') continue
      const part = ancestorTitles.find((name) => name.trim() !== '')
      const reason = /\(skipped: (.+)\)$/.exec(title)?.[1]
      const group = `${placeOf(file, root)}${part === undefined ? '' : ` > ${part}`}${reason === undefined ? '' : `: ${reason}`}`
      counts.set(group, (counts.get(group) ?? 0) + 1)
    }
  }
  const groups = [...counts].sort(([, one], [, other]) => other - one)
  const lines = groups.slice(0, MOST_SKIPPED_GROUPS).map(([group, count]) => lineOf(count, group))
  const rest = groups.slice(MOST_SKIPPED_GROUPS)
  if (rest.length > 0) {
    const left = rest.reduce((sum, [, count]) => sum + count, 0)
    lines.push(lineOf(left, `in ${rest.length} more ${rest.length === 1 ? 'place' : 'places'}`))
  }
  return lines
}

function lineOf(count: number, group: string): string {
  return `${String(count).padStart(5)}  ${group}`
}

function placeOf({ name }: TestFile, root: string): string {
  return relative(root, name).split(sep).join('/')
}

function firstLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.includes('node_modules'))
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n')
}
