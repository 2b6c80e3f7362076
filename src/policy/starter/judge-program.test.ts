import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sayInEnglish } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { knownPrograms } from '../known-programs.ts'
import type { MatchResult } from '../matchers/match-result.ts'
import type { ShellWord } from '../shell/reading.ts'
import { command, glob, later } from './fixtures/command.ts'
import { judgeByProfile, judgeProgram } from './judge-program.ts'
import type { Profile } from './profile.ts'

/** The workspace is the folder of the line; `link` in it leads out. */
function inside(path: string): MatchResult {
  if (path === 'nobody-looked') return 'unknown'
  return /^\/|^~(\/|$)|(^|\/)\.\.(\/|$)|^link(\/|$)/.test(path) ? 'no' : 'yes'
}

const judged = (words: readonly (string | ShellWord)[], more = {}) =>
  judgeProgram(command(words, more), inside).kind
const line = (text: string) => judged(text.split(' '))

describe('what only reads', () => {
  it.each([
    'git status',
    'git --no-pager log --oneline -5 main..feature -- src/a.ts',
    'git log -n3 --author=ana -S needle',
    'git diff --stat HEAD~1 HEAD',
    'git branch -a',
    'git branch --list feature/x',
    'git remote -v',
    'git stash list',
    'git config --get user.name',
    'git clean -nd',
    'ls -la src',
    'cat -n a.ts b.ts',
    'cat -',
    'head -20 a.ts',
    'head -n20 a.ts',
    'tail -n +5 a.ts',
    'rg -n --glob=*.ts needle src',
    'rg --files src',
    'grep -rn -e needle src',
    'grep -A3 -B 2 /etc/passwd src',
    'find src -name *.ts -type f -mtime -7 -not -path x',
    'find . ( -name a -o -name b ) -print0',
    'sort -t, -k2,3 -rn data.csv',
    'uniq -c data.txt',
    'wc -l a b c',
    'diff -u a b',
    'diff a /dev/null',
    'date +%s',
    'echo -n --anything /etc/passwd',
    'test -f src/a.ts',
    '[ -d src ]',
    'node --version',
    'node --check src/a.js',
    'npm ls --depth=0',
    'npm run',
    'npm pkg get version',
    'gofmt -l src',
    'kill -l',
    'command -v git',
  ])('P5: %s', (text) =>
    expect(judgeProgram(command(text.split(' ')), inside)).toMatchObject({ kind: 'reads' }),
  )

  it('P5: wildcards below a folder, and first where no option could do harm', () => {
    expect(judged(['cat', glob('src/*.ts')])).toBe('reads')
    expect(judged(['cat', glob('*.ts')])).toBe('reads')
    expect(judged(['sort', '--', glob('*.ts')])).toBe('reads')
    expect(judged(['sort', glob('./*.ts')])).toBe('reads')
    expect(judged(['grep', 'needle', glob('src/*')])).toBe('reads')
    expect(judged(['grep', glob('[n]eedle')])).toBe('reads')
  })

  it('P5: one value that is only looked at, whatever it is', () => {
    expect(judged(['[', '-n', later('"$X"'), ']'])).toBe('reads')
    expect(judged(['[', '-f', later('"$X"'), ']'])).toBe('unknown')
    expect(judged(['[', later('"$X"'), ']'])).toBe('unknown')
    expect(judged(['[', '-n', { ...later('$X'), pattern: true }, ']'])).toBe('unknown')
  })

  it('P5: files that find puts in, and what another command prints', () => {
    const cat = ['cat', later('{}')]
    expect(judged(cat, { through: ['find'] })).toBe('reads')
    expect(judged(['grep', 'needle', later('{}')], { through: ['find'] })).toBe('reads')
    expect(judged(['find', 'src', '-exec', 'cat', '{}', ';'])).toBe('reads')
    expect(judged(['diff', later('<(sort a)'), later('<(sort b)')])).toBe('reads')
  })
})

describe('what is not known to only read', () => {
  it.each([
    // A program, a sub-command or an option that is not named.
    'nobody-knows-this a',
    'git push',
    'git stash',
    'git stash drop',
    'git reflog expire --all',
    'git branch new-branch',
    'git tag v1',
    'git remote add x y',
    'git config user.name x',
    'git -c core.pager=x log',
    'git -C elsewhere log',
    'git --git-dir=x log',
    'git diff --output=x',
    'git diff --outp=x',
    'git diff --ext-diff',
    'git grep -Ox needle',
    'git log --no-such-option',
    'rg --pre=x needle',
    'rg --pre x needle',
    'sort -o a b',
    'sort -ro a b',
    'sort --compress-program=x a',
    'sort --compress-prog=x a',
    'sort --output a b',
    'find . -delete',
    'find . -fprintf a b',
    'find -L .',
    'tree -o a',
    'node a.js',
    'node --check --import=x a.js',
    'npm install',
    'npm run build',
    'npm test',
    'date 010203042026',
    'printf -v x y',
    'test -v x',
    'man ls',
    'less a.ts',
    'constructor',
    'git constructor',
    'git __proto__',
    // An option behind an argument, which some programs take for another argument.
    'node a.js --check',
    'uniq a -c',
    'xxd a -p',
    'git clean src -n',
    // A value or an argument that is not of its kind, or one too many.
    'uniq a b',
    'head -n x a',
    'cat --number=5 a',
    'git cherry -v --abbrev --constructor',
    'tee a',
    'date +%s +%s',
    'clean -n',
    'git clean -d',
    // A path that leads elsewhere.
    'cat /etc/passwd',
    'cat ~/.ssh/id_rsa',
    'cat ~other/x',
    'cat src/../../x',
    'cat link/x',
    'cat nobody-looked',
    'cat -- /etc/passwd',
    'grep needle /etc/passwd',
    'grep -e needle /etc/passwd',
    'grep -f /etc/passwd needle',
    'grep -f/etc/passwd needle',
    'grep --file=/etc/passwd needle',
    'rg -e needle /etc',
    'rg --files /etc',
    'find / -name x',
    'git diff /dev/null /etc/passwd',
    'diff a /etc/passwd',
    'wc --files0-from=/etc/passwd',
    'date -f /etc/passwd',
    // Where options end at the first argument, the value is a file.
    'sort a -t /etc/passwd',
  ])('P5: %s', (text) => expect(line(text)).toBe('unknown'))

  it('P5: words that may come to anything', () => {
    expect(judged(['sort', glob('*.ts')])).toBe('unknown')
    expect(judged(['rg', 'needle', glob('*')])).toBe('unknown')
    expect(judged(['cat', glob('/etc/*')])).toBe('unknown')
    expect(judged(['cat', glob('src/*/../../../x')])).toBe('unknown')
    expect(judged(['cat', glob('{a,/etc/passwd}')])).toBe('unknown')
    expect(judged(['cat', glob('~/*')])).toBe('unknown')
    expect(judged(['uniq', glob('src/*')])).toBe('unknown')
    expect(judged(['grep', glob('src/*'), '/etc/passwd'])).toBe('unknown')
    expect(judged(['tr', glob('src/*'), 'x'])).toBe('unknown')
    expect(judged(['cmp', glob('src/*')])).toBe('unknown')
    expect(judged(['git', glob('stat*')])).toBe('unknown')
    expect(judged(['sort', glob('-*')])).toBe('unknown')
    expect(judged(['sort', '-t', glob('src/*'), 'a'])).toBe('unknown')
    expect(judged(['head', '-n', glob('src/*')])).toBe('unknown')
    expect(judged(['cat', later('$FILE')])).toBe('unknown')
    expect(judged(['cat', later('{}')])).toBe('unknown')
    expect(judged(['cat', later('<(a)$b')], {})).toBe('unknown')
    expect(judged(['uniq', later('{}')], { through: ['find'] })).toBe('unknown')
    expect(judged(['git', 'log', '-n', later('$N')])).toBe('unknown')
  })

  it('P5: whatever has a doubt, runs nobody knows where, or is given words by another', () => {
    const reason = reasonOf('part.variable', { text: 'X=1' })
    const doubt = { kind: 'assignment', text: 'X=1', reason, start: 0, end: 3 } as const
    expect(judged(['ls'], { doubts: [doubt] })).toBe('unknown')
    expect(judged(['ls'], { folder: undefined })).toBe('unknown')
    expect(judged(['ls'], { folder: '/etc' })).toBe('unknown')
    expect(judged(['ls'], { folder: 'src' })).toBe('reads')
    expect(judged(['cat', '../x'], { folder: 'src' })).toBe('unknown')
    expect(judged(['grep', 'needle'], { through: ['xargs'] })).toBe('unknown')
  })

  it('P5: git where another folder may bring its own settings', () => {
    expect(judged(['git', 'status'], { folder: 'vendor/x' })).toBe('unknown')
    expect(judged(['git', 'status'], { through: ['find'] })).toBe('unknown')
    const here = command(['git', 'status'], { folder: 'here' })
    expect(judgeProgram(here, inside, (folder) => folder === 'here').kind).toBe('reads')
    expect(judgeProgram(here, inside, (folder) => folder === 'there').kind).toBe('unknown')
    expect(
      judgeProgram(
        here,
        () => 'no',
        () => true,
      ).kind,
    ).toBe('unknown')
  })

  it('P5: nothing where the working folder is not in the workspace', () => {
    expect(judgeProgram(command(['ls']), (path) => (path === '.' ? 'no' : 'yes')).kind).toBe('unknown')
  })
})

describe('how a profile is read', () => {
  const profile: Profile = {
    programs: ['x'],
    help: ['--help'],
    why: 'For tests.',
    before: { '-q': 'flag', '--in': 'path' },
    sets: { some: { '-s --some': 'flag' } },
    reads: { options: { '--version': 'flag' }, needs: ['--version'], arguments: [] },
    commands: {
      'show view': {
        uses: ['some'],
        options: { '-n --max': 'number', '-c': 'optional' },
        arguments: ['word', 'path'],
      },
      list: { commands: { all: { arguments: [] } } },
      go: { singleDash: true, options: { '-json': 'flag', '-mod': 'word' }, arguments: [] },
    },
  }
  const fits = (text: string) => judgeByProfile(command(text.split(' ')), profile, inside).kind === 'reads'

  it.each([
    ['x --version', true],
    ['x', false],
    ['x show', true],
    ['x view a b', true],
    ['x -q --in src show a', true],
    ['x --in=src show a', true],
    ['x --in /etc show a', false],
    ['x --in', false],
    ['x -z show a', false],
    ['x show -sn5 a', true],
    ['x show -s --max=5 a b', true],
    ['x show --some=1', false],
    ['x show -cauto a', true],
    ['x show -n', false],
    ['x show a b c', false],
    ['x show a /b', false],
    ['x show --ma=5', false],
    ['x list', false],
    ['x list all', true],
    ['x list all more', false],
    ['x list other', false],
    ['x go -json -mod=mod', true],
    ['x go -j', false],
    ['x toString', false],
    ['x destroy --help', true],
    ['x destroy -h', false],
    ['x destroy a --help', false],
    ['x list destroy --help', true],
    ['x list destroy a --help', false],
    ['x ./destroy --help', false],
    ['x --help', false],
  ])('%s: %s', (text, expected) => expect(fits(text)).toBe(expected))
})

describe('whatever the words are', () => {
  const words = fc.array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        '-',
        '--',
        '-n',
        '--x=y',
        '{}',
        ';',
        '+',
        '!',
        '(',
        '*',
        '../x',
        '/etc',
        '~',
        '-rf',
        'status',
      ),
      fc.string().map(glob),
      fc.string().map(later),
    ),
  )
  const program = fc.constantFrom(...knownPrograms().keys())

  it('P5: it answers, and says why', () => {
    fc.assert(
      fc.property(program, words, (name, rest) => {
        const { kind, why } = judgeProgram(command([name, ...rest]), inside)
        expect(['reads', 'unknown', 'destroys']).toContain(kind)
        expect(sayInEnglish(why).length).toBeGreaterThan(5)
      }),
      { numRuns: 2000 },
    )
  })

  it('P5: where no path is inside, nothing reads', () => {
    fc.assert(
      fc.property(program, words, fc.constantFrom('no' as const, 'unknown' as const), (name, rest, holds) => {
        expect(judgeProgram(command([name, ...rest]), () => holds).kind).not.toBe('reads')
      }),
      { numRuns: 2000 },
    )
  })

  it('P5: an option that no profile names is never let through', () => {
    const names = [...knownPrograms()].filter(
      ([, { reads }]) => ![reads].flat().some((one) => one?.literal || one?.optionsFirst),
    )
    fc.assert(
      fc.property(fc.constantFrom(...names.map(([name]) => name)), words, fc.nat(5), (name, rest, at) => {
        const given: (string | ShellWord)[] = rest.filter((word) => word !== '--')
        given.splice(at, 0, '--not-an-option-of-anything')
        const before = given[given.indexOf('--not-an-option-of-anything') - 1]
        fc.pre(before === undefined || (typeof before === 'string' && !before.startsWith('-')))
        expect(judgeProgram(command([name, ...given]), inside).kind).not.toBe('reads')
      }),
      { numRuns: 2000 },
    )
  })
})
