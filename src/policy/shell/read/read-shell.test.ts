// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
import { describe, expect, it } from 'vitest'
import { readShell, readWords } from './read-shell.ts'

const texts = (line: string) => readShell(line).commands.map((command) => command.text)
const kinds = (line: string) => [...new Set(readShell(line).doubts.map((doubt) => doubt.kind))]

describe('P5: every command of a line is found, and nothing is in doubt', () => {
  it.each([
    ['', []],
    ['  # rm x', []],
    ['ls', ['ls']],
    ['ls;rm x', ['ls', 'rm x']],
    ['a && b || c', ['a', 'b', 'c']],
    ['a | b |& c', ['a', 'b', 'c']],
    ['a & b &', ['a', 'b']],
    ['a\nb\n\nc', ['a', 'b', 'c']],
    ['! a', ['a']],
    ['(a; (b))', ['a', 'b']],
    ['{ a; b; }', ['a', 'b']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done', ['a', 'b']],
    ['until a; do b; done', ['a', 'b']],
    ['for x in $(a) b; do c; done', ['a', 'c']],
    ['select x in `a`; do b; done', ['a', 'b']],
    ['case $(a) in $(b)|c) d;; *) e;; esac', ['a', 'b', 'd', 'e']],
    ['coproc a b', ['a b']],
    ['time a | b', ['time', 'a', 'b']],
    ['echo $(a $(b))', ['echo $(a $(b))', 'a $(b)', 'b']],
    ['echo "x $(a)"', ['echo "x $(a)"', 'a']],
    ['echo `a`', ['echo `a`', 'a']],
    ['echo `a \\`b\\``', ['echo `a \\`b\\``', 'a `b`', 'b']],
    ['cat <(a) > >(b)', ['cat <(a)', 'a', 'b']],
    ['echo ${x:-$(a)} ${x#$(b)} ${x/$(c)/$(d)}', [expect.any(String), 'a', 'b', 'c', 'd']],
    ['cat <<E\n$(a) `b`\nE', ['cat', 'a', 'b']],
    ["cat <<'E'\n$(a)\nE", ['cat']],
    ['cat <<A <<B\n$(a)\nA\n$(b)\nB', ['cat', 'a', 'b']],
    ['cat <<<"$(a)"', ['cat', 'a']],
    ['cat < $(a)', ['cat', 'a']],
    ['[[ -f $(a) ]]', ['a']],
    ['echo a#b # c; d', ["echo 'a#b'"]],
    ["echo '$(rm x)'", ["echo '$(rm x)'"]],
    ['echo \\$\\(rm x\\)', ["echo '$(rm' 'x)'"]],
    ['LANG=C TZ=UTC CI=1 ls', ['ls']],
    ['set -euo pipefail; ls', ['set -euo pipefail', 'ls']],
    ['[ -f x ] && [ "$a" = b ]', ['[ -f x ]', '[ "$a" = b ]']],
    ['read -r line; while read -r a b; do c; done', ['read -r line', 'read -r a b', 'c']],
    ['> out', [':']],
    ['for f in *.ts; do wc "$f"; done', ['wc "$f"']],
  ])('%s', (line, commands) => {
    expect(texts(line)).toEqual(commands)
    expect(kinds(line)).toEqual([])
  })
})

describe('P5: one spelling for all ways of writing a command', () => {
  it.each([
    ['/bin/rm -rf x', 'rm -rf x'],
    ["r''m -rf 'x'", 'rm -rf x'],
    ['\\rm -r\\f "x"', 'rm -rf x'],
    ['r\\\nm \\\n -rf x', 'rm -rf x'],
    ["$'\\x72m' -rf x", 'rm -rf x'],
    ['rm   -rf\tx', 'rm -rf x'],
    ['echo a\\ b "c d" \'e f\'', "echo 'a b' 'c d' 'e f'"],
    ['echo "it\'s"', "echo 'it'\\''s'"],
    ["echo ''", "echo ''"],
    ["echo $'a\\nb'", "echo $'a\\nb'"],
    ['echo "a\nb"', "echo $'a\\nb'"],
    ['cat ~/x "~/x"', "cat ~/x '~/x'"],
    ['ls *.ts "*.ts"', "ls *.ts '*.ts'"],
    ['git log HEAD~3 HEAD^', 'git log HEAD~3 HEAD^'],
    ["'if' x", "'if' x"],
  ])('%s', (line, text) => {
    expect(texts(line)).toEqual([text])
  })
})

describe('words', () => {
  const word = (text: string) => readShell(`x ${text}`).commands[0]?.words[0]

  it.each([
    ['abc', 'abc', false],
    ['"a b"', 'a b', false],
    ['*.ts', '*.ts', true],
    ['src/[ab]?', 'src/[ab]?', true],
    ['$X', undefined, true],
    ['"$X"', undefined, false],
    ['"$@"', undefined, true],
    ['"${a[@]}"', undefined, true],
    ['a"$X"', undefined, false],
    ['$(ls)', undefined, true],
    ['"$(ls)"', undefined, false],
    ['{a,b}', undefined, true],
    ['{1..3}', undefined, true],
    ['{a,"b c"}', undefined, true],
    ['{}', '{}', false],
    ['{a}', '{a}', false],
    ['\\{a,b\\}', '{a,b}', false],
    ['~', '~', false],
    ['~/x', '~/x', false],
    ['~root/x', undefined, false],
    ['a=~/x', undefined, false],
    ['=ls', undefined, false],
    ["='ls'", undefined, false],
    ['==', undefined, false],
    ['=', '=', false],
    ['$"hello"', undefined, false],
    ['*/../../x', undefined, true],
    ['.*/x', undefined, true],
    ['..', '..', false],
    ['"a"*', 'a*', true],
  ])('%s', (text, value, pattern) => {
    expect(word(text)).toMatchObject({ value, pattern })
  })
})

describe('places', () => {
  it('points at the command, or at the word that holds it', () => {
    const line = "ls; sh -c 'rm x' && `a \\`b\\``"
    const parts = readShell(line).commands.map(({ text, start, end }) => [text, line.slice(start, end)])
    expect(parts).toContainEqual(['ls', 'ls'])
    expect(parts).toContainEqual(['rm x', "sh -c 'rm x'"])
    expect(parts).toContainEqual(['b', '`a \\`b\\``'])
  })

  it('points at what is in doubt, and shortens it', () => {
    const line = `ls; X=${'1'.repeat(500)} ls`
    const [doubt] = readShell(line).doubts
    expect(line.slice(doubt?.start, doubt?.end)).toMatch(/^X=1+$/)
    expect(doubt?.text).toHaveLength(80)
    expect(doubt?.reason.code).toBe('part.variable')
  })

  it('belongs to its command and to the line', () => {
    const { commands, doubts } = readShell('ls; X=1 cat')
    expect(commands.map((command) => command.doubts.length)).toEqual([0, 1])
    expect(doubts).toEqual(commands[1]?.doubts)
  })
})

describe('a list of words', () => {
  it('P5: is one command, and nothing in it is expanded', () => {
    const { commands, doubts } = readWords(['/bin/rm', '*.ts', '$(x)', '~/y', 'a\nb', ';', 'rm'])
    expect(commands).toHaveLength(1)
    expect(commands[0]?.text).toBe("rm '*.ts' '$(x)' '~/y' $'a\\nb' ';' rm")
    expect(commands[0]?.words.every(({ pattern, value }) => !pattern && value !== undefined)).toBe(true)
    expect(doubts).toEqual([])
  })

  it('P5: wrappers and shells are looked through', () => {
    const { commands } = readWords(['env', 'sh', '-c', 'rm x; ls'])
    expect(commands.map(({ text }) => text)).toEqual([
      "env sh -c 'rm x; ls'",
      "sh -c 'rm x; ls'",
      'rm x',
      'ls',
    ])
    expect(readWords(['sh', '-c', 'rm x\r']).doubts.map(({ kind }) => kind)).toContain('control character')
  })

  it('P5: NUL and nothing at all are doubts', () => {
    expect(readWords(['ls', 'a\0b']).doubts.map(({ kind }) => kind)).toEqual(['control character'])
    expect(readWords([]).doubts.map(({ kind }) => kind)).toEqual(['unknown program'])
    expect(readWords(['']).doubts.map(({ kind }) => kind)).toEqual(['unknown program'])
  })

  it('a folder is not changed by what no shell runs', () => {
    expect(readWords(['cd', 'x']).commands[0]?.folder).toBe('')
  })
})
