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
  })

  it('has a name for each group that no other has', () => {
    const names = STEERING_GROUPS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
