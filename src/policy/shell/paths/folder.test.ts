// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
import { describe, expect, it } from 'vitest'
import { readShell } from '../read/read-shell.ts'

const folderOf = (line: string) => readShell(line).commands.find(({ program }) => program === 'x')?.folder

describe('P5: the folder that a command runs in', () => {
  it.each([
    ['x', ''],
    ['cd a && x', 'a'],
    ['cd a && cd b && x', 'a/b'],
    ['cd a/b && cd .. && x', 'a'],
    ['cd a && cd .. && x', ''],
    ['cd ../a && x', '../a'],
    ['cd /a && cd b && x', '/a/b'],
    ['cd /a/ && x', '/a'],
    ['cd ./a && x', 'a'],
    ['cd . && x', ''],
    ['cd -- a && x', 'a'],
    ['cd "a b" && x', 'a b'],
    ['cd && x', '~'],
    ['cd ~ && x', '~'],
    ['cd ~/a && cd b && x', '~/a/b'],
    ["cd '~' && x", './~'],
    ['cd a || exit 1; x', 'a'],
    ['cd a || exit 1\nx', 'a'],
    ['cd a || { echo no; exit 1; }; x', 'a'],
    ['cd a && y; x', undefined],
    ['if cd a; then x; fi', 'a'],
    ['if cd a; then y; else x; fi', ''],
    ['! cd a || x', 'a'],
    ['{ cd a && x; }', 'a'],
    ['{ cd a; } && x', 'a'],
    ['(cd a && x)', 'a'],
    ['(cd a); x', ''],
    ['echo $(cd a); x', ''],
    ['cd a | y; x', ''],
    ['cd a & x', ''],
    ['y | x; x', ''],
    ["sh -c 'cd a'; x", ''],
    ["sh -c 'cd a && x'", 'a'],
    ['cd a && env x', 'a'],
    ['env cd a && x', ''],
    ['command cd a && x', 'a'],
    ["eval 'cd a' && x", 'a'],
    ['for i in 1; do x; done', ''],
    ['for i in 1; do (cd a && x); done', 'a'],
    ['case y in y) cd a && x;; esac', 'a'],
    ['if y; then cd a && cd ..; fi; x', undefined],
  ])('%s: %s', (line, folder) => {
    expect(folderOf(line)).toBe(folder)
  })

  it.each([
    'cd a; x',
    'cd a\nx',
    'cd a || x; x',
    'cd a || true; cd b && y; x',
    'cd a || y; x',
    'cd $A && x',
    'cd "$A" && x',
    'cd a* && x',
    'cd - && x',
    'cd -P a && x',
    'cd a b && x',
    'cd ~/.. && x',
    "cd '' && x",
    'pushd a && x',
    'popd && x',
    '$A && x',
    '. a && x',
    'if y; then cd a; fi; x',
    'y && cd a; x',
    'case y in y) cd a;; esac; x',
    'while y; do x; cd a; done',
    'while cd a; do x; done',
    'until cd a; do y; done; x',
    'for i in 1; do cd a && break; done; x',
    'f() { x; }',
    'f() { cd a; }; x',
    'f() { cd a; }; cd /b && f; cd /b && x',
    'exit() { y; }; cd a || exit; x',
    'cd a || return; x',
    'cd a || exit 1 2; x',
    'cd a || exit > y; x',
    'cd a || (exit 1); x',
    'cd a || { exit 1; y; }; x',
    'case y in a) cd a;& b) x;; esac',
    'case y in a) cd a;;& b) y;; c) x;; esac',
    "trap 'cd /' DEBUG; x",
    'alias y="cd /"; x',
    'y | cd a; x',
    "eval 'cd a'; x",
    'sudo --weird x',
    'ssh host x',
    'chroot r x',
    'find . -execdir x \\;',
    'echo ${ cd a; }; x',
  ])('is not known: %s', (line) => {
    const { commands } = readShell(line)
    const last = commands.findLast(({ program }) => program === 'x')
    expect(last).toBeDefined()
    expect(last?.folder).toBeUndefined()
  })

  it('P5: a folder that is not there does not shift what `..` leads to', () => {
    expect(folderOf('cd no/such/folder; x ../../../etc/passwd')).toBeUndefined()
  })

  it('a chain of cd ends at the longest path that there is', () => {
    expect(folderOf(`${'cd abc && '.repeat(400)}x`)).toHaveLength(400 * 4 - 1)
    expect(folderOf(`${'cd abcdefghijklmno && '.repeat(400)}x`)).toBeUndefined()
  })
})
