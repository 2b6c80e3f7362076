import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { whySedMayWrite } from './sed.ts'

describe('sed scripts', () => {
  it.each([
    's/a/b/',
    's/a/b/g;s|x|y|2p',
    '1,5p',
    '$p',
    '/needle/,/other/p',
    '/a/I,+3d',
    '\\,/usr,p',
    '0~3p',
    '1!d',
    '/a/{s/b/c/;p}',
    '/a/ { p; q }',
    'n;d',
    '$!N;s/\\n/ /;P;D',
    'y/abc/xyz/',
    '=',
    'q5',
    'a some text; w is only a text',
    ':a;N;$!ba;s/x/y/g',
    's/[a-z]*/x/',
    's/\\//x/',
    '# w file\np',
    '',
  ])('only print: %s', (script) => expect(whySedMayWrite(script)).toBeUndefined())

  it.each([
    'w out',
    '1w out',
    '/a/w out',
    's/a/b/w out',
    's/a/b/gw out',
    's/a/b/e',
    's/a/b/ge',
    'e',
    'e date',
    '1e date',
    'r /etc/passwd',
    '$r /etc/passwd',
    'R /etc/passwd',
    'W out',
    'p;w out',
    'p\nw out',
    '{p;w out\n}',
    '1!w out',
    's/a/b/;e date',
    's/[/]/w out',
    's/[/x/;a]/y/w out',
    'a x\np',
    's/a\nb/c/',
    's/a/b',
    's/a/b\\',
    'a x\\\nw out',
    'a x\nw out',
    '/a/',
    '}',
    '{p',
    'saxbxw out',
    's\na\nb\nw out',
    'b x w out',
    'y/a/b/w out',
    'v 4.2;w out',
    'M',
  ])('may do more: %s', (script) => expect(whySedMayWrite(script)).toHaveProperty('code'))
})

describe('the sed of this machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-sed-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const run = (script: string) =>
    spawnSync('sed', ['-n', '-e', script], { cwd: folder, input: 'a\nb/w out\nab\n', timeout: 5000 })

  it.skipIf(run('p').status !== 0)('P5: leaves nothing behind after any script that was accepted', () => {
    const pieces = fc.constantFrom(
      ...[
        's',
        '/',
        'a',
        'b',
        'w out',
        'e touch out',
        'g',
        'p',
        ';',
        '\n',
        '\\',
        '[',
        ']',
        '{',
        '}',
        '1',
        '$',
        '!',
      ],
      ...[',', '|', '#', 'y', 'r', ' ', ':', 't', 'I', '~', 's/a/b/', '/a/', 'i', 'n', 'd', '+'],
    )
    const script = fc.array(pieces, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''))
    let accepted = 0
    fc.assert(
      fc.property(script, (text) => {
        // A loop of branches never ends, and does no other harm.
        fc.pre(whySedMayWrite(text) === undefined && !/[:t]|b/.test(text.replaceAll('s/a/b/', '')))
        accepted += 1
        run(text)
        expect(readdirSync(folder)).toEqual([])
      }),
      { numRuns: 150, maxSkipsPerRun: 2000 },
    )
    expect(accepted).toBeGreaterThan(100)
  })
})
