/** What `npm test` says at its end, made from reports as vitest writes them. */
import { describe, expect, it } from 'vitest'
import { failedTests, skippedTests, type TestReport } from '../../scripts/test-report.ts'

type File = TestReport['testResults'][number]
type Test = File['assertionResults'][number]

const ROOT = '/project'

describe('what was skipped', () => {
  it('is counted by file, part and reason, most first', () => {
    const report = reportOf(
      fileOf('a', [
        testOf('skipped', 'one', ['three nodes', 'deep']),
        testOf('passed', 'two', ['three nodes']),
        testOf('todo', 'three'),
      ]),
      fileOf('b', [
        testOf('skipped', 'four (skipped: it has no clock)', ['', 'the store']),
        testOf('pending', 'five (skipped: it has no clock)', ['', 'the store']),
        testOf('failed', 'six', ['the store']),
      ]),
    )
    expect(skippedTests(report, ROOT)).toEqual([
      '    2  src/b.test.ts > the store: it has no clock',
      '    1  src/a.test.ts > three nodes',
      '    1  src/a.test.ts',
    ])
  })

  it('ends after twenty lines with how many more there are', () => {
    const files = Array.from({ length: 23 }, (_, index) =>
      fileOf(`n${index}`, [testOf('skipped', 'one'), testOf('skipped', 'two')]),
    )
    const lines = skippedTests(reportOf(...files), ROOT)
    expect(lines).toHaveLength(21)
    expect(lines.at(-1)).toBe('    6  in 3 more places')
  })

  it('is nothing where every test ran, or none', () => {
    expect(skippedTests(reportOf(fileOf('a', [testOf('passed', 'one')])), ROOT)).toEqual([])
    expect(skippedTests(reportOf(), ROOT)).toEqual([])
  })
})

describe('what failed', () => {
  it('is named with its file and the first lines of its error, without those of libraries', () => {
    const failed = testOf('failed', 'one', ['part'])
    const errors = ['is wrong\n  at node_modules/x.js\n  at src/a.ts']
    const report = reportOf(fileOf('a', [{ ...failed, failureMessages: errors }, testOf('passed', 'two')]))
    expect(failedTests(report, ROOT)).toEqual(['src/a.test.ts > part one\n    is wrong\n      at src/a.ts'])
  })

  it('is a file where no test of it could start', () => {
    const report = reportOf({ ...fileOf('a', []), status: 'failed', message: 'no such module' })
    expect(failedTests(report, ROOT)).toEqual(['src/a.test.ts\n    no such module'])
  })
})

function reportOf(...testResults: File[]): TestReport {
  return { testResults }
}

function fileOf(name: string, assertionResults: Test[]): File {
  return { name: `${ROOT}/src/${name}.test.ts`, status: 'passed', message: '', assertionResults }
}

function testOf(status: string, title: string, ancestorTitles: string[] = []): Test {
  return {
    status,
    title,
    ancestorTitles,
    fullName: [...ancestorTitles, title].join(' '),
    failureMessages: [],
  }
}
