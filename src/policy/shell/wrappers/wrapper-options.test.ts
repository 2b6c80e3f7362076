import { describe, expect, it } from 'vitest'
import { readShell } from '../read/read-shell.ts'
import { parseOptions } from './wrapper-options.ts'

const TABLE = '-a, -b, -n=, -o[=], --all, --name=, --opt[=]'

function parsed(text: string) {
  const words = readShell(`x ${text}`).commands[0]?.words ?? []
  const { end, found, unknown } = parseOptions(words, 0, TABLE)
  return { end, unknown, found: Object.fromEntries([...found].map(([name, word]) => [name, word?.value])) }
}

describe('options of a wrapper', () => {
  it.each([
    ['c d', 0, {}],
    ['-a c', 1, { '-a': undefined }],
    ['-ab c', 1, { '-a': undefined, '-b': undefined }],
    ['-n 1 c', 2, { '-n': '1' }],
    ['-n1 c', 1, { '-n': '1' }],
    ['-an1 c', 1, { '-a': undefined, '-n': '1' }],
    ['-o c', 1, { '-o': undefined }],
    ['-o1 c', 1, { '-o': '1' }],
    ['--all c', 1, { '--all': undefined }],
    ['--name=1 c', 1, { '--name': '1' }],
    ['--name 1 c', 2, { '--name': '1' }],
    ['--opt c', 1, { '--opt': undefined }],
    ['--opt=1 c', 1, { '--opt': '1' }],
    ['-a -- -b', 2, { '-a': undefined }],
    ['-', 0, {}],
    ['-n "$X" c', 2, { '-n': undefined }],
    ['', 0, {}],
  ])('%s', (text, end, found) => {
    expect(parsed(text)).toEqual({ end, found, unknown: undefined })
  })

  it.each([
    '-x',
    '-ax',
    '--weird',
    '--all=1',
    '--al',
    '-n',
    '-n $X',
    '--name $X',
    '$X',
    '"$X"',
    '*',
    '-a $X',
  ])('P5: not understood: %s', (text) => {
    expect(parsed(text).unknown).toBeDefined()
  })
})
