import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compilePolicy } from '../../src/policy/index.ts'
import { createFactsGatherer } from '../../src/server/facts/gather-facts.ts'

/** A real repository: git says what a pathspec finds, and the policy has to have seen it. */
let top: string

const DENIED = ['.env', 'secrets/deep/key.txt', 'src/.env.local', 'src/id_rsa']
const OTHERS = [
  'a',
  'b.ts',
  'README.md',
  'src/a.ts',
  'src/lib/b.ts',
  'docs/guide.md',
  'docs/x/y.md',
  '.prettierrc',
]

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-pathspecs-')))
  for (const path of [...DENIED, ...OTHERS]) {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), 'KEY\n')
  }
  git(top, 'init', '-q')
  git(top, 'add', '-A')
})
afterAll(() => rmSync(top, { recursive: true, force: true }))

function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH ?? '', HOME: top, GIT_CONFIG_NOSYSTEM: '1' }
  try {
    return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}

/** The files that the word finds, from the top. */
function found(cwd: string, word: string): string[] {
  return git(cwd, 'ls-files', '-z', '--full-name', '--', word)
    .split('\0')
    .filter((one) => one !== '')
}

/** Every spelling of a path by git's wildcards and magic, one change at a time. */
function spellings(path: string): string[] {
  const at = [...path].flatMap((letter, index) =>
    ['?', '*', `[${letter}]`, '[!0]', `\\${letter}`].map(
      (one) => path.slice(0, index) + one + path.slice(index + 1),
    ),
  )
  const name = path.slice(path.lastIndexOf('/') + 1)
  const half = path.slice(0, Math.ceil(path.length / 2))
  const wild = [
    `*${path}`,
    `*${name}`,
    `${half}*`,
    `*${path.slice(2)}`,
    `**/${name}`,
    `*${name.slice(-3)}`,
    `*[${name.slice(-1)}]`,
  ]
  const magic = [
    ...[
      '(top)',
      '(glob)',
      '(literal)',
      '(top,literal)',
      '(top,glob)',
      '(prefix:0)',
      '/',
      '/:',
      '(top,)',
      '()',
      '',
    ].map((one) => `:${one}${path}`),
    ...['(icase)', '(top,icase)', '(icase,glob)'].map((one) => `:${one}${path.toUpperCase()}`),
    ...['(icase)', '(top,icase)'].map((one) => `:${one}*${name.toUpperCase()}`),
    ...['(glob)**/', '(top,glob)**/', '(top)*', '/*', '(glob)*/**/'].map((one) => `:${one}${name}`),
  ]
  return [...at, ...wild, ...magic]
}

/** Those that say nothing of a name. */
const ANYTHING = [
  '*',
  '**',
  ':/',
  ':',
  ':(top)',
  ':/*',
  ':!a',
  ':^a',
  ':!/a',
  ':/!a',
  ':(exclude)a',
  ':(exclude,icase)A',
  ':(glob)**',
  './*',
  '*/*',
  ':(attr:!x)',
  ':!*.ts',
]

const COMMANDS: ((word: string) => string)[] = [
  (word) => `git diff -- ${word}`,
  (word) => `git diff ${word}`,
  (word) => `git diff HEAD~1 ${word}`,
  (word) => `git show HEAD -- ${word}`,
  (word) => `git log -p -- a ${word}`,
  (word) => `git log -p --follow ${word}`,
  (word) => `git --no-pager -c color.ui=false diff -- ${word}`,
  (word) => `git grep -h KEY -- ${word}`,
  (word) => `git blame ${word}`,
  (word) => `git archive HEAD ${word}`,
  (word) => `env git diff -- ${word}`,
]

const ownHouse = { files: ['banksman.yaml'], folders: ['.banksman'], addresses: [], program: 'banksman' }

async function judged(block: object, line: string, cwd = top) {
  const files = ownHouse.files.map((path) => join(top, path))
  const folders = ownHouse.folders.map((path) => join(top, path))
  const policy = compilePolicy(block, {
    ...{ roots: [top], home: '/home/ana' },
    ownHouse: { ...ownHouse, files, folders },
  })
  const gather = createFactsGatherer({ lookups: policy.lookups, now: () => 0, home: '/home/ana' })
  const call = { tool: 'Bash', arguments: { command: line }, cwd, session: 's' }
  return policy.evaluate(call, await gather(call))
}

const isDenied = (path: string) => DENIED.includes(path)
const quoted = (word: string) => `'${word}'`
const denying = {
  allow: ['*'],
  mode: 'bypass',
  deny: ['Read(./.env)', 'Read(./secrets/**)', 'Read(**/.env.local)', 'Read(src/id_rsa)'],
}

describe("git's pathspecs", () => {
  it('P5: none that finds what a deny names is allowed, whatever its spelling and the folder', async () => {
    const passed: string[] = []
    for (const cwd of [top, join(top, 'src')]) {
      const far = DENIED.map((path) => `../${path}`)
      const words = new Set([...[...DENIED, ...far].flatMap(spellings), ...ANYTHING])
      for (const [at, word] of [...words].entries()) {
        const command = COMMANDS[at % COMMANDS.length]!
        for (const line of [COMMANDS[0]!(quoted(word)), command(quoted(word))])
          if ((await judged(denying, line, cwd)).kind === 'allow' && found(cwd, word).some(isDenied))
            passed.push(`${cwd === top ? '' : 'src: '}${line}`)
      }
    }
    expect(passed).toEqual([])
    // Git finds what it should, so that nothing passes for another reason.
    expect(found(join(top, 'src'), ':(top,icase)*.ENV')).toEqual(['.env'])
  }, 120_000)

  it('the starter asks about those that find a secret and are no folder', async () => {
    const passed: string[] = []
    const secrets = DENIED.filter((path) => !path.startsWith('secrets'))
    for (const [at, word] of secrets.flatMap(spellings).entries()) {
      const line = COMMANDS[at % COMMANDS.length]!(quoted(word))
      if ((await judged({ extends: 'banksman:starter' }, line)).kind !== 'allow') continue
      const files = found(top, word)
      if (files.some(isDenied) && files.length <= 4) passed.push(line)
    }
    expect(passed).toEqual([])
  }, 120_000)

  it.each([
    'git -C src diff -- .env.local',
    'git -C secrets diff -- deep/key.txt',
    'git -C src -C .. diff -- .env',
    "cd src && git diff -- ':(top).env'",
    'git diff --pathspec-from-file=list',
    'git log -p --stdin < list',
    "git diff -- ':(attr:secret)'",
    "git diff -- ':(top,attr:secret)src'",
    "git add -- ':(icase).ENV'",
    "git checkout HEAD -- '.en?'",
  ])('P5: %s is not allowed where a deny names what it may read', async (line) => {
    expect((await judged(denying, line)).kind).not.toBe('allow')
  })

  it.each([
    "git checkout HEAD -- 'banksm*'",
    "git restore 'b?nksman.yaml'",
    "git checkout -- ':(icase)BANKSMAN.YAML'",
    "git restore ':(top)b[a]nksman.yaml'",
    "git rm -f '*.yaml'",
    "git rm -f ':/*.yaml'",
    "git rm -f ':!a'",
  ])('P11: %s is denied', async (line) => {
    expect((await judged({ allow: ['*'], mode: 'bypass' }, line)).kind).toBe('deny')
  })

  it.each([
    ...[
      'clean -fdx :/',
      'clean -fdx :/.banksman',
      "clean -fdx ':(top)'",
      "clean -fdx ':!x'",
      'clean -fdx ..',
    ],
    ...["clean -xdf ':(top).b*'", "clean -xdf ':/*'", 'clean -fdx :', 'stash -a', 'stash push --all -- x'],
    ...["rm -rf ':/*'", "rm -f ':/*.yaml'", 'rm -f :/banksman.yaml', "rm -rf ':^/x'"],
    ...['checkout :/banksman.yaml', "restore ':(top)banksm*'", "checkout -- ':(top,icase)BANKSMAN.YAML'"],
    ...['stash push -- :/banksman.yaml', "mv ':/banksman.yaml' x", 'restore ../banksman.yaml'],
  ])('P11: from a folder below, by -C or cd, git %s is denied', async (given) => {
    for (const line of [`git -C src ${given}`, `git -C src -C . ${given}`, `cd src && git ${given}`])
      expect((await judged({ allow: ['*'], mode: 'bypass' }, line)).kind, line).toBe('deny')
    expect((await judged({ allow: ['*'], mode: 'bypass' }, `git ${given}`, join(top, 'src'))).kind).toBe(
      'deny',
    )
  })

  it.each([
    'clean -fdx',
    'clean -fdx :/docs',
    'rm -r :/docs',
    "checkout -- ':(top)docs/*'",
    'stash',
    'add -A :/',
  ])('below the folder of ours git %s needs nobody', async (given) => {
    expect((await judged({ allow: ['*'], mode: 'bypass' }, `git -C src ${given}`)).kind).toBe('allow')
  })

  it.each([
    'git status',
    'git diff',
    'git diff HEAD~1 -- src/a.ts',
    "git diff -- '*.md'",
    "git diff -- 'docs/*'",
    "git log -p -- ':(top)docs/guide.md'",
    "git log --grep '^fix: [a-z]*'",
    "git log --author='*@example.com' --oneline",
    "git branch --list 'feature/*'",
    "git tag -l 'v*'",
    "git show 'HEAD^{tree}'",
    "git show 'stash@{0}'",
    'git -C docs log -- guide.md',
    "git grep 'a.*b' -- docs",
    "git commit -m 'fix: [a]* and :(b)'",
  ])('needs nobody as before: %s', async (line) => {
    const verdict = await judged({ allow: ['Bash'], deny: ['Read(./.env)', 'Read(./src/*.pem)'] }, line)
    expect(verdict.kind, verdict.because).toBe('allow')
  })

  it.each([
    "git diff -- '*.md'",
    "git diff -- ':!package-lock.json'",
    "git diff -- . ':(exclude)*.lock'",
    "git diff -- '*'",
    "git log -p -- 'src/**/*.ts'",
    "git grep -n 'foo.*bar'",
    "git log -- ':/docs'",
  ])('the starter allows as before: %s', async (line) => {
    const verdict = await judged({ extends: 'banksman:starter' }, line)
    expect(verdict.kind, verdict.because).toBe('allow')
  })
})
