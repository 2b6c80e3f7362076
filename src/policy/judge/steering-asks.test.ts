import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePolicy, lexicalFacts, type PolicyBlock } from '../index.ts'
import type { JudgedCall } from '../policy.ts'

const roots = ['/space']
const home = '/home/ana'

function verdictOf(block: PolicyBlock, call: JudgedCall, steered?: string[]) {
  const policy = compilePolicy(block, { roots, home })
  const context = steered === undefined ? {} : { steered: new Set(steered) }
  return policy.evaluate(call, lexicalFacts(policy, call, { home }), context)
}

const edit = (file_path: string): JudgedCall => ({ tool: 'Write', arguments: { file_path }, cwd: '/space' })
const bash = (command: string): JudgedCall => ({ tool: 'Bash', arguments: { command }, cwd: '/space' })

const FILES = [
  'HEAD',
  'config',
  'objects/keep',
  'refs/keep',
  'hooks/post-index-change',
  'packed-refs',
  '.git',
  '.git/hooks/pre-commit',
  '.git/config',
  '.gitattributes',
  '.gitmodules',
  '.npmrc',
  '.yarnrc.yml',
  '.envrc',
  'node_modules/eslint/bin/eslint.js',
  'node_modules/.bin/tsc',
  'lib/site-packages/evil.pth',
  'sitecustomize.py',
  '.venv/pyvenv.cfg',
  'eslint.config.js',
  '.eslintrc.json',
  '.prettierrc',
  'biome.json',
  'ruff.toml',
  '.vscode/tasks.json',
  '.husky/pre-commit',
  '.github/workflows/ci.yml',
  '.claude/settings.json',
  '.cargo/config.toml',
  'rust-toolchain.toml',
  '.bashrc',
  'mise.toml',
  '.run/app.run.xml',
  'nbproject/build-impl.xml',
  '.ctags.d/run.ctags',
  'cspell.config.js',
  'knip.ts',
  'wdio.conf.ts',
  'nx.json',
  '.bzr/branch/branch.conf',
  '.shadowenv.d/500.lisp',
  '.envrc.local',
  '.xonshrc',
]

/** The same file, as it may be written. */
const spelled = fc
  .tuple(
    fc.constantFrom(...FILES),
    fc.constantFrom('', './', '/space/', 'src/../', './/', 'deep/er/', '/space/deep/', './src/../a/../'),
    fc.constantFrom('as it is', 'upper', 'lower', 'mixed'),
  )
  .map(([file, before, letters]) => {
    const cased =
      letters === 'upper'
        ? file.toUpperCase()
        : letters === 'lower'
          ? file.toLowerCase()
          : letters === 'mixed'
            ? [...file].map((letter, at) => (at % 2 === 0 ? letter.toUpperCase() : letter)).join('')
            : file
    return before + cased
  })

const POLICIES: readonly PolicyBlock[] = [
  { mode: 'acceptEdits' },
  { mode: 'acceptEdits', extends: 'banksman:starter' },
  { mode: 'bypass' },
  { mode: 'bypass', extends: 'banksman:starter' },
  { allow: ['Write', 'Bash'] },
  { allow: ['*'] },
  { allow: ['Write(./**)', 'Bash(*)', 'Edit(./**)'] },
  { rules: [{ name: 'all', when: { tool: '*' }, then: 'allow' }] },
]

describe('an edit of a file that steers programs', () => {
  it('needs a person however it is written, by a tool, a redirection or a command that names it', () => {
    fc.assert(
      fc.property(
        spelled,
        fc.constantFrom(...POLICIES),
        fc.constantFrom(
          (path: string) => edit(path),
          (path: string) => bash(`echo x > '${path}'`),
          (path: string) => bash(`cat a >> ${path}`),
          (path: string) => bash(`cp a.txt ${path}`),
          (path: string) => bash(`tee ${path} < a.txt`),
          (path: string) => bash(`ln -s /tmp/evil ${path}`),
          (path: string) => bash(`mv -f a.txt ${path}`),
          (path: string) => bash(`cd src && install -m 755 a ../${path.replace(/^\/space\//, '')}`),
          (path: string) => bash(`cp evil/${path.split('/').at(-1)} ${path.replace(/[^/]*$/, '') || '.'}`),
        ),
        (path, block, make) => {
          expect(verdictOf(block, make(path)).kind).toBe('ask')
        },
      ),
      { numRuns: 600 },
    )
  })

  it('is allowed by a rule that names it, and by no other', () => {
    expect(verdictOf({ allow: ['Write(./.npmrc)'] }, edit('.npmrc')).kind).toBe('allow')
    expect(
      verdictOf({ allow: ['Write(**/.github/workflows/**)'] }, edit('.github/workflows/ci.yml')).kind,
    ).toBe('allow')
    expect(verdictOf({ allow: ['Edit(./.npmrc)', 'Bash(echo *)'] }, bash('echo x > .npmrc')).kind).toBe(
      'allow',
    )
    expect(verdictOf({ allow: ['Bash(cp * .npmrc)'] }, bash('cp a .npmrc')).kind).toBe('allow')
    expect(verdictOf({ allow: ['Bash(rm -rf node_modules)'] }, bash('rm -rf node_modules')).kind).toBe(
      'allow',
    )
    expect(
      verdictOf(
        { rules: [{ name: 'ci', when: { tool: 'Write', path: './.npmrc' }, then: 'allow' }] },
        edit('.npmrc'),
      ).kind,
    ).toBe('allow')
    // Of two files it is about the one that it names.
    expect(verdictOf({ allow: ['Write(./.npmrc)', 'Write(./**)'] }, edit('sub/.npmrc')).kind).toBe('ask')
    expect(verdictOf({ allow: ['Write(./.git*)'] }, edit('.gitattributes')).kind).toBe('ask')
    // Who names a folder of the list has named what is in it, though that is of another group too.
    expect(verdictOf({ allow: ['Write(./.husky/**)'] }, edit('.husky/pre-commit')).kind).toBe('allow')
    expect(verdictOf({ allow: ['Write(./hooks/*)'] }, edit('hooks/pre-commit')).kind).toBe('allow')
    expect(verdictOf({ allow: ['Write(./.git/**)'] }, edit('.git/config')).kind).toBe('allow')
    expect(verdictOf({ allow: ['Write(./config/**)'] }, edit('config/config')).kind).toBe('ask')
    expect(verdictOf({ allow: ['Write(./src/**)'] }, edit('src/pre-commit')).kind).toBe('ask')
  })

  it('says first what it needs, and why', () => {
    const verdict = verdictOf({ mode: 'acceptEdits' }, edit('.npmrc'))
    expect(verdict.because).toBe(
      'Needs approval: `.npmrc` controls what programs do (npm): it can name commands to run and where packages come from.',
    )
  })

  it.each([
    'cp evil .npm*',
    'mv evil HEA[D]',
    'cp evil {.npmrc,x}',
    'cp evil/HEAD .',
    'cp -t .git/hooks evil',
    'git config -f config core.fsmonitor x',
    'git config --file=config core.fsmonitor x',
    'find . -fprint HEAD',
    'gunzip .npmrc.gz',
    'split a hooks/',
    'curl -O https://example.com/.npmrc',
    'wget https://example.com/.npmrc',
    'dd if=a of=HEAD',
    'sh -c "echo x > HEAD"',
    'cd .git && echo x > config',
    'git log --output HEAD',
    'git diff --outp HEAD',
    'gcc -o HEAD a.c',
    'go build -o config',
    'rustc --out-dir objects a.rs',
    'gpg -o HEAD -d x',
    'perl -i -pe s/a/b/ .npmrc',
    'prettier --write .npmrc',
    'cp -t . evil/.npmrc',
    'cp .npmrc .envrc',
  ])('needs a person too where a command only comes to it: %s', (command) => {
    expect(verdictOf({ mode: 'bypass' }, bash(command)).kind).toBe('ask')
  })

  it('is denied where the mode denies what is not allowed', () => {
    expect(verdictOf({ mode: 'dontAsk' }, edit('.npmrc')).kind).toBe('deny')
    expect(verdictOf({ mode: 'plan' }, edit('.npmrc')).kind).toBe('deny')
    expect(verdictOf({ deny: ['Write(./.npmrc)'], mode: 'bypass' }, edit('.npmrc')).kind).toBe('deny')
  })

  it.each([
    'src/a.ts',
    'README.md',
    'package.json',
    'tsconfig.json',
    'pyproject.toml',
    'src/hooks/use-toast.ts',
    'src/config/index.ts',
    'src/objects/player.ts',
    'Makefile',
    'tests/a.test.ts',
    '.gitignore',
    'docs/CHANGELOG.md',
  ])('everyday editing stays quiet: %s', (path) => {
    expect(verdictOf({ mode: 'acceptEdits', extends: 'banksman:starter' }, edit(path)).kind).toBe('allow')
    expect(
      verdictOf({ mode: 'acceptEdits', extends: 'banksman:starter' }, bash(`echo x > ${path}`)).kind,
    ).toBe('allow')
  })

  it.each([
    ['Bash(git push *)', 'git push origin HEAD'],
    ['Bash(git reset *)', 'git reset HEAD~1'],
    ['Bash(git add *)', 'git add .github/workflows/ci.yml'],
    ['Bash(npm config *)', 'npm config set fund false'],
    ['Bash(kubectl config *)', 'kubectl config use-context a'],
    ['Bash(npm test *)', 'npm test'],
    ['Bash(make *)', 'make config'],
    ['Bash(node *)', 'node scripts/build.js'],
    ['Bash(node *)', 'node node_modules/vitest/vitest.mjs run'],
    ['Bash(vitest *)', 'vitest run --config vitest.config.ts'],
    ['Bash(npx *)', 'npx jest --config=jest.config.js'],
    ['Bash(eslint *)', 'eslint -c eslint.config.js src'],
    ['Bash(pytest *)', 'pytest -c pytest.ini'],
    ['Bash(mypy *)', 'mypy --config-file mypy.ini src'],
    ['Bash(kubectl *)', 'kubectl --kubeconfig .kube/config apply -f a.yaml'],
    ['Bash(actionlint *)', 'actionlint .github/workflows/ci.yml'],
    ['Bash(docker *)', 'docker run -v ./config:/config x'],
    ['Bash(git merge *)', 'git merge origin/HEAD'],
    ['Bash(cp *)', 'cp node_modules/x/dist/a.css public/'],
  ])('what %s allows stays allowed: %s', (rule, command) => {
    expect(verdictOf({ allow: [rule] }, bash(command)).kind).toBe('allow')
  })
})

describe('a program whose files may have been written without a person', () => {
  const starter: PolicyBlock = { extends: 'banksman:starter' }

  it('is no longer vouched for', () => {
    expect(verdictOf(starter, bash('git status')).kind).toBe('allow')
    expect(verdictOf(starter, bash('git status'), ['npm']).kind).toBe('allow')
    const verdict = verdictOf(starter, bash('git status'), ['bare git repository'])
    expect(verdict).toMatchObject({
      kind: 'ask',
      because:
        'Needs approval: `git status` is no longer known to be read-only: it reads configuration files (bare git repository) that an earlier call may have changed without anyone seeing it.',
    })
    expect(verdictOf({ mode: 'plan' }, bash('git status'), ['git']).kind).toBe('deny')
    expect(verdictOf(starter, bash('cat a && ls'), ['git', 'npm', 'node']).kind).toBe('allow')
  })

  it('is still allowed by a rule, and where the mode allows all', () => {
    const block: PolicyBlock = { ...starter, allow: ['Bash(git status *)'] }
    expect(verdictOf(block, bash('git status'), ['git']).kind).toBe('allow')
    expect(verdictOf({ ...starter, mode: 'bypass' }, bash('git status'), ['git']).kind).toBe('allow')
  })
})
