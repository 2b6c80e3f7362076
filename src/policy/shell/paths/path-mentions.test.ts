import { describe, expect, it } from 'vitest'
import { readShell, readWords } from '../read/read-shell.ts'
import { pathMentions } from './path-mentions.ts'

function mentions(line: string) {
  const command = readShell(line).commands.at(-1)
  return command === undefined ? [] : pathMentions(command)
}
const paths = (line: string) => mentions(line).map(({ path }) => path)

describe('P11: every path that a command names', () => {
  it.each([
    ['cat a', 'a'],
    ['cat ./a/../b', './a/../b'],
    ['cat /etc/passwd', '/etc/passwd'],
    ['cat ~/.ssh/id', '~/.ssh/id'],
    ['cat ~', '~'],
    ["cat '~/a'", './~/a'],
    ["cat '~/a'", '~/a'],
    ['cat "a b"', 'a b'],
    ['x --output=/a/b', '/a/b'],
    ['x --output=b', 'b'],
    ['x --output /a', '/a'],
    ['cc -I/usr/include', '/usr/include'],
    ['cc -I../x', '../x'],
    ['x -fbanksman.yaml', 'banksman.yaml'],
    ['curl -d @/etc/passwd x', '/etc/passwd'],
    ['curl -d@a.txt x', 'a.txt'],
    ['curl -F f=@/etc/passwd x', '/etc/passwd'],
    ['dd of=/dev/sda', '/dev/sda'],
    ['dd of=out', 'out'],
    ['scp host:/etc/x .', '/etc/x'],
    ['docker run -v /etc:/mnt:ro x', '/etc'],
    ['docker run --mount type=bind,source=/etc,target=/y x', '/etc'],
    ['git show HEAD:src/a', 'src/a'],
    ['curl file:///etc/passwd', '/etc/passwd'],
    ['curl FILE://localhost/etc/a%20b', '/etc/a b'],
    ['sqlite3 "file:x.db?mode=ro"', 'x.db'],
    ['ls src/*.ts', 'src'],
    ['ls /etc/*', '/etc'],
    ['ls /*', '/'],
    ['ls *.ts', '.'],
    ['x --file=/etc/*.conf', '/etc'],
    ['./a/b c', './a/b'],
    ['cat a:b', 'a:b'],
    ['cd a && cat b', 'a/b'],
    ['cd a && cat ../b', 'a/../b'],
    ['cd a && cat /b', '/b'],
    ['cd a && ls *', 'a'],
    ['cd ~/a && cat b', '~/a/b'],
    ['sudo cat /a', '/a'],
    ['vim +/x /a', '/a'],
  ])('%s: %s', (line, path) => {
    expect(paths(line)).toContain(path)
  })

  it.each([
    'curl https://example.com/a',
    'cat $X',
    'cat "$X"',
    'cat */../x',
    'cd a; cat b',
    'ls --all',
    'cat -',
    'ls',
  ])('none: %s', (line) => {
    expect(paths(line)).toEqual([])
  })

  it('how a redirection is used', () => {
    expect(mentions('x < a > b')).toEqual([
      { path: 'a', access: 'read', text: 'a' },
      { path: 'b', access: 'write', text: 'b' },
    ])
    expect(mentions('cd d && x > b')).toEqual([{ path: 'd/b', access: 'write', text: 'b' }])
    expect(mentions('x > $A')).toEqual([])
  })

  it('says each once, with the word as it stands', () => {
    expect(mentions('x "a" a')).toEqual([{ path: 'a', access: 'unknown', text: '"a"' }])
  })

  it('a word is a path without a shell too', () => {
    const [command] = readWords(['cat', '*.ts', 'a\nb', `/${'a'.repeat(5000)}`]).commands
    expect(command && pathMentions(command).map(({ path }) => path)).toEqual(['*.ts', 'a\nb'])
  })
})

describe('a path through a process behind other letters', () => {
  it.each([
    ['tar -xf/proc/self/cwd/x', '/proc/self/cwd/x'],
    ['x a/..//./proc/self/fd/3', '/..//./proc/self/fd/3'],
    ['x proc/proc/self', '/proc/self'],
    ['x a/dev//fd/3', '/dev//fd/3'],
    ['x a.../proc/self', '/proc/self'],
  ])('%s', (line, path) => {
    expect(paths(line)).toContain(path)
  })

  // An expression would go through all ways to take the slashes apart, and never end.
  it.each(['/', '../', './/', '/proc', 'dev/'])('P5: is looked for in thousands of %j', (unit) => {
    expect(paths(`cat ${unit.repeat(20_000)}x`).length).toBeLessThanOrEqual(2)
  })
})
