/**
 * Two spellings of the same options mean the same to the programs themselves: they are run, in folders of their own, and
 * what they print and leave behind is compared. A deny of the first spelling must match the second.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteWord } from '../../src/core/support/quote-word.ts'
import { optionTableOf } from '../../src/policy/known-programs.ts'
import { compileStoppingPattern } from '../../src/policy/shell/patterns/stopping-pattern.ts'
import { readWords } from '../../src/policy/shell/read/read-shell.ts'
import { runs } from '../fixtures/property-runs.ts'

interface Tried {
  readonly program: string
  /** Names of one option each, with a value behind `=`. */
  readonly options: readonly string[]
  readonly operands: readonly string[]
}

const TRIED: readonly Tried[] = [
  { program: 'rm', options: ['-r -R --recursive', '-f --force', '-v --verbose'], operands: ['d'] },
  {
    program: 'cp',
    options: ['-r -R --recursive', '-f --force', '-v --verbose', '-n --no-clobber'],
    operands: ['d', 'e'],
  },
  { program: 'chmod', options: ['-R --recursive', '-v --verbose'], operands: ['700', 'd'] },
  { program: 'ls', options: ['-a --all', '-r --reverse', '-R --recursive', '-p', '-1'], operands: ['d'] },
  {
    program: 'grep',
    options: [
      '-r --recursive',
      '-i --ignore-case',
      '-n --line-number',
      '-c --count',
      '-m --max-count=1',
      '-e --regexp=O',
    ],
    operands: ['d'],
  },
  {
    program: 'sort',
    options: ['-r --reverse', '-u --unique', '-n --numeric-sort', '-k --key=1', '-o --output=out'],
    operands: ['d/one'],
  },
  { program: 'tar', options: ['-c --create', '-v --verbose', '-f --file=a.tar'], operands: ['d'] },
  { program: 'wc', options: ['-l --lines', '-c --bytes', '-w --words'], operands: ['d/one'] },
]

/** One way to write the options, in any order and anywhere. */
function spelling({ program, options, operands }: Tried): fc.Arbitrary<string[]> {
  return fc.gen().map((gen) => {
    const order = gen(() => fc.shuffledSubarray([...options], { minLength: options.length }))
    const words: string[][] = []
    let bundle = ''
    const close = () => {
      if (bundle !== '') words.push([`-${bundle}`])
      bundle = ''
    }
    for (const entry of order) {
      const [names = '', value] = entry.split('=')
      const name = gen(() => fc.constantFrom(...names.split(' ')))
      const isGlued = gen(() => fc.boolean())
      if (name.startsWith('--')) {
        const short = gen(() => fc.integer({ min: 3, max: name.length }))
        const begun = name.slice(0, short)
        const isClear =
          new Set(
            optionTableOf(program)
              .beginning(begun)
              .map(({ key }) => key),
          ).size === 1
        const given = isClear && program !== 'wc' ? begun : name
        words.push(value === undefined ? [given] : isGlued ? [`${given}=${value}`] : [given, value])
      } else if (value === undefined) {
        bundle += name.slice(1)
        if (gen(() => fc.boolean())) close()
      } else {
        bundle += name.slice(1)
        if (isGlued) bundle += value
        const last = bundle
        bundle = ''
        words.push(isGlued ? [`-${last}`] : [`-${last}`, value])
      }
    }
    close()
    const at = gen(() => fc.integer({ min: 0, max: words.length }))
    // The names of an archive's members come last, and so does what is compared with `-e`.
    const place = program === 'tar' ? words.length : at
    return [...words.slice(0, place).flat(), ...operands, ...words.slice(place).flat()]
  })
}

function outcome(program: string, words: readonly string[]): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-options-'))
  try {
    mkdirSync(join(folder, 'd/inner'), { recursive: true })
    writeFileSync(join(folder, 'd/one'), 'One\ntwo\nOne\n')
    writeFileSync(join(folder, 'd/inner/.two'), 'more\n')
    const env = { PATH: process.env.PATH, LC_ALL: 'C' }
    const { status, stdout } = spawnSync(program, words, { cwd: folder, encoding: 'utf8', env, input: '' })
    // A folder is read in an order that differs from one folder to the next.
    return { status, stdout: stdout.split('\n').sort(), left: treeOf(folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function treeOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const stat = statSync(path)
      const text = stat.isFile() && !name.endsWith('.tar') ? readFileSync(path, 'utf8') : ''
      return `${name} ${stat.mode.toString(8)} ${text}`
    })
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).stdout?.includes('GNU') === true
}

describe('two spellings of the same options', () => {
  it.each(TRIED.map((tried) => [tried.program, tried] as const))('of %s', (program, tried) => {
    if (!isInstalled(program)) return
    fc.assert(
      fc.property(spelling(tried), spelling(tried), (one, other) => {
        expect(outcome(program, other), `${one.join(' ')} and ${other.join(' ')}`).toEqual(
          outcome(program, one),
        )
        const [command] = readWords([program, ...other]).commands
        const pattern = [program, ...one].map(quoteWord).join(' ')
        expect(command && compileStoppingPattern(pattern)(command), `${pattern} on ${other.join(' ')}`).toBe(
          'yes',
        )
      }),
      { numRuns: runs(15) },
    )
  })
})
