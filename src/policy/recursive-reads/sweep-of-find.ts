/** What `find` reads by the commands that it runs for what it finds. */
import type { ShellCommand } from '../shell/reading.ts'
import { excludedNames, fileNamesOf, type Sweep, sweep } from './sweep.ts'

const NAMES_ONLY = /^(?:.*\/)?(?:echo|ls|printf|stat|basename|dirname|realpath|readlink|true|test|du|touch)$/

export function sweepOfFind({ words }: ShellCommand, feeds: boolean): Sweep | undefined {
  const values = words.map(({ value, text }) => value ?? text)
  const runs = values.some(
    (value, at) => /^-(?:exec|ok)(?:dir)?$/.test(value) && !NAMES_ONLY.test(values[at + 1] ?? ''),
  )
  if (!runs && !feeds) return undefined
  const first = values.findIndex((value) => /^(?:-[^HLPOD]|[(!])/.test(value))
  const roots = (first === -1 ? words : words.slice(0, first)).filter(({ value }) => !value?.startsWith('-'))
  const paths = roots.flatMap(({ value }) => value ?? [])
  return sweep(roots.length === 0 ? ['.'] : paths, testsOf(first === -1 ? [] : values.slice(first)))
}

/** Only what must hold before anything runs: alternatives and brackets are not looked into. */
function testsOf(tests: readonly string[]): Partial<Sweep> {
  const excludes: string[] = []
  let at = 0
  // `-path ./x -prune -o …`
  while (
    /^-(?:path|name|wholename)$/.test(tests[at] ?? '') &&
    tests[at + 2] === '-prune' &&
    /^-or?$/.test(tests[at + 3] ?? '')
  ) {
    excludes.push(tests[at + 1] ?? '')
    at += 4
  }
  const end = tests.findIndex((test, index) => index >= at && /^-(?:exec|ok|delete|print)/.test(test))
  const before = tests.slice(at, end === -1 ? undefined : end)
  if (tests.slice(at).some((test) => /^(?:-or?|,|\(|\))$/.test(test)))
    return { excludes: excludedNames(excludes) }
  const includes: string[] = []
  for (const [index, test] of before.entries()) {
    const isTurned = /^(?:!|-not)$/.test(before[index - 1] ?? '')
    const pattern = before[index + 1] ?? ''
    if (/^-i?name$/.test(test) && !isTurned) includes.push(pattern)
    if (/^-i?(?:path|wholename)$/.test(test) && isTurned) excludes.push(pattern)
  }
  return { includes: fileNamesOf(includes.slice(0, 1)), excludes: excludedNames(excludes) }
}
