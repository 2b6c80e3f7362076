import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { runs } from '../../../../test/fixtures/property-runs.ts'
import { whyAwkMayWrite } from './awk.ts'

describe('awk programs', () => {
  it.each([
    '{print $1}',
    '{ print $1, $NF; }',
    'NR==1',
    '$3 > 5',
    '$3 > 5 { n++ } END { print n }',
    '/a|b/ { print }',
    '!/^#/ && NF',
    '{ s += $1 } END { print s/NR }',
    '{ if ($1 > max) max = $1 } END { print max }',
    'BEGIN { FS="|"; OFS="\\t" } { print $2 }',
    '{ gsub(/[[:space:]]+/, " "); print }',
    '{ a[$1]++ } END { for (k in a) print k, a[k] }',
    '{ printf "%s > %s\\n", $1, $2 }',
    '# a remark > x\n{ print }',
    'length($0) > 80 || /x/',
  ])('only print: %s', (program) => expect(whyAwkMayWrite(program)).toBeUndefined())

  it.each([
    'BEGIN { system("id") }',
    'BEGIN { "id" | getline x; print x }',
    '{ print | "sh" }',
    '{ print |& "sh" }',
    '{ print > "out" }',
    '{ print >> "out" }',
    '{ print $1, $2 > "out" }',
    '{ printf("%s", $1) > "out" }',
    '{ print $1,\n$2 > "out" }',
    '{ print "a" "b" > $1 }',
    '{ while ((getline l < "/etc/passwd") > 0) print l }',
    'BEGIN { ARGV[1]="/etc/passwd"; ARGC=2 } { print }',
    'BEGIN { print ENVIRON["X"] }',
    '@load "x"',
    '@include "x"',
    'BEGIN { f="system"; @f("id") }',
    'BEGIN { SYMTAB["x"]=1 }',
    '/"/ { print > "out" } /"/',
    '(1)/"/; print > "out" #"/',
    'BEGIN { x = 1 / 2 } { print > "/" }',
    '{ print "a',
    '/a',
    '/[/]/ { print > "out" }',
    '/[^]/]/ { print > "out" }',
    '{ print \\\n> "out" }',
    '{ print 1 } #\n{ print > "out" }',
    '1 /x/ 1 { print > "out" }',
  ])('may do more: %s', (program) => expect(whyAwkMayWrite(program)).toHaveProperty('code'))
})

describe('the awk of this machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-awk-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const run = (program: string) =>
    spawnSync('awk', [program], { cwd: folder, input: 'a 1\nb/2 "out"\n', timeout: 5000 })

  it.skipIf(run('1').status !== 0)('P5: leaves nothing behind after any program that was accepted', () => {
    const pieces = fc.constantFrom(
      ...[
        'print',
        'print 1',
        ' > "out"',
        '>"out"',
        '>',
        '/',
        '"',
        '"out"',
        '{',
        '}',
        ';',
        '\n',
        '(',
        ')',
        '[',
        ']',
        'x',
      ],
      ...[
        '1',
        '$1',
        ' ',
        '|',
        '"touch out"',
        '#',
        '\\',
        '/a/',
        ',',
        '!',
        '{print}',
        '{print 1}',
        '++',
        '~',
        '&&',
        '?',
        ':',
      ],
    )
    const program = fc.array(pieces, { minLength: 1, maxLength: 10 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(program, (text) => {
        fc.pre(whyAwkMayWrite(text) === undefined)
        run(text)
        expect(readdirSync(folder)).toEqual([])
      }),
      { numRuns: runs(100), maxSkipsPerRun: 2000 },
    )
  })
})
