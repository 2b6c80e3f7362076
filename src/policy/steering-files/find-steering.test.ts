import { describe, expect, it } from 'vitest'
import { findSteering, isNamedBy } from './find-steering.ts'
import { STEERING_GROUPS } from './steering-groups.ts'

const groupsOf = (path: string) => findSteering(path, ['/space']).map(({ group }) => group.name)

describe('files that steer programs', () => {
  it.each([
    ['/space/HEAD', 'bare git repository'],
    ['/space/config', 'bare git repository'],
    ['/space/objects/keep', 'bare git repository'],
    ['/space/objects/keep.txt', 'bare git repository'],
    ['/space/refs/keep', 'bare git repository'],
    ['/space/deep/er/refs/heads/a.b', 'bare git repository'],
    ['/space/hooks/post-index-change', 'bare git repository'],
    ['/space/.git', 'git'],
    ['/space/sub/.GIT/Hooks/pre-commit', 'git'],
    ['/space/fixture.git/config', 'git'],
    ['/space/.NPMRC', 'npm'],
    ['/space/a/node_modules/.bin/tsc', 'node'],
    ['/space/lib/python3/site-packages/evil.pth', 'python'],
    ['/space/.github/workflows/ci.yml', 'ci'],
    ['/space/eslint.config.mjs', 'eslint'],
    ['/space/.claude/settings.json', 'agent instructions'],
    ['C:\\space\\.npmrc', 'npm'],
    ['/space/.npmrc.', 'npm'],
    ['/space/.np\u200dmrc', 'npm'],
    ['/space/gitconfig', 'git'],
    ['/space/tools/team.gitconfig', 'git'],
    ['/space/.lfsconfig', 'git'],
    ['/space/scripts/git-hooks/pre-push.sh', 'git'],
    ['/space/scripts/hooks-of-ours/post-index-change', 'git'],
    ['/space/tools/pre-commit', 'git'],
    ['/space/env/bin/python3', 'python'],
    ['/space/env/bin/activate', 'python'],
    ['/space/env/Scripts/activate.bat', 'python'],
    ['/space/.pyenv/shims/python', 'version managers'],
    ['/space/.nvm/nvm.sh', 'version managers'],
    ['/space/bin/git', 'programs by name'],
    ['/space/tools/bin/rg', 'programs by name'],
    ['/space/.bin/anything', 'programs by name'],
    ['/space/.config/starship.toml', 'programs in the home folder'],
    ['/space/.terraform.d/plugins/x', 'infrastructure'],
    ['/space/Directory.Build.props', 'dotnet'],
    ['/space/NuGet.Config', 'dotnet'],
    ['/space/.hg/hgrc', 'other version control'],
    ['/space/webpack.config.js', 'javascript tools'],
    ['/space/.storybook/main.ts', 'javascript tools'],
    ['/space/.oxlintrc.json', 'javascript tools'],
    ['/space/AGENT.md', 'agent instructions'],
    ['/space/skills/pdf/SKILL.md', 'agent instructions'],
    ['/space/.openhands/setup.sh', 'agent instructions'],
    ['/space/.lvimrc', 'programs that search the folder'],
  ])('%s is of the group %s', (path, group) => {
    expect(groupsOf(path)).toContain(group)
  })

  it.each([
    '/space/src/a.ts',
    '/space/src/hooks/use-toast.ts',
    '/space/hooks/use-mobile.tsx',
    '/space/src/objects/player.ts',
    '/space/src/config/index.ts',
    '/space/config/default.json',
    '/space/README.md',
    '/space/docs/head.md',
    '/space/src/refs/index.ts',
    '/space/styles/app.css',
    '/space/tests/a.test.ts',
    '/space/.editorconfig',
    '/space/.gitignore',
    '/space/Makefile',
    '/space/Dockerfile',
    '/space/src/mise/a.ts',
    '/space/.eslintignore',
    '/space/bin/rails',
    '/space/bin/setup',
    '/space/src/bin/main.rs',
    '/space/src/app/app.config.ts',
    '/space/config/environments/test.rb',
    '/space/env/dev.yaml',
    '/space/docs/agents.html',
  ])('%s is none', (path) => {
    expect(groupsOf(path)).toEqual([])
  })

  it('knows files that people edit every day', () => {
    for (const path of ['/space/package.json', '/space/tsconfig.json', '/space/pyproject.toml']) {
      expect(
        findSteering(path).map(({ group }) => group.everyday),
        path,
      ).toEqual([true])
    }
  })

  it('is named by a pattern that names it, and not by one that only reaches it', () => {
    const [npmrc] = findSteering('/space/.npmrc')
    for (const pattern of ['./.npmrc', '.npmrc', '**/.npmrc', '/space/.npmrc', '.NPMRC'])
      expect(isNamedBy(pattern, npmrc!), pattern).toBe(true)
    for (const pattern of ['./**', '**', '.*', './.n*', '*', '*rc', '/space/**'])
      expect(isNamedBy(pattern, npmrc!), pattern).toBe(false)
    const [workflow] = findSteering('/space/.github/workflows/ci.yml')
    expect(isNamedBy('**/.github/workflows/**', workflow!)).toBe(true)
    expect(isNamedBy('.github/workflows/ci.yml', workflow!)).toBe(true)
    expect(isNamedBy('.github/**', workflow!)).toBe(false)
    const [inside] = findSteering('/space/config/config')
    expect(isNamedBy('./config/**', inside!)).toBe(false)
    expect(isNamedBy('./config/config', inside!)).toBe(true)
    const [path] = findSteering('/space/a/b.pth')
    expect(isNamedBy('**/*.pth', path!)).toBe(true)
    expect(isNamedBy('**/b.pth', path!)).toBe(true)
    const [hook] = findSteering('/space/hooks/own')
    for (const pattern of ['./hooks/**', './hooks/*', 'hooks/own'])
      expect(isNamedBy(pattern, hook!), pattern).toBe(true)
  })

  it('has a name for each group that no other has', () => {
    const names = STEERING_GROUPS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
