import { describe, expect, it } from 'vitest'
import { findSteering, isNamedBy } from './find-steering.ts'
import { STEERING_GROUPS } from './steering-groups.ts'

const groupsOf = (path: string) => findSteering(path, ['/work']).map(({ group }) => group.name)

describe('files that steer programs', () => {
  it.each([
    ['/work/HEAD', 'bare git repository'],
    ['/work/config', 'bare git repository'],
    ['/work/objects/keep', 'bare git repository'],
    ['/work/objects/keep.txt', 'bare git repository'],
    ['/work/refs/keep', 'bare git repository'],
    ['/work/deep/er/refs/heads/a.b', 'bare git repository'],
    ['/work/hooks/post-index-change', 'bare git repository'],
    ['/work/.git', 'git'],
    ['/work/sub/.GIT/Hooks/pre-commit', 'git'],
    ['/work/fixture.git/config', 'git'],
    ['/work/.NPMRC', 'npm'],
    ['/work/a/node_modules/.bin/tsc', 'node'],
    ['/work/lib/python3/site-packages/evil.pth', 'python'],
    ['/work/.github/workflows/ci.yml', 'ci'],
    ['/work/eslint.config.mjs', 'eslint'],
    ['/work/.claude/settings.json', 'agent instructions'],
    ['C:\\work\\.npmrc', 'npm'],
    ['/work/.npmrc.', 'npm'],
    ['/work/.np\u200dmrc', 'npm'],
  ])('%s is of the group %s', (path, group) => {
    expect(groupsOf(path)).toContain(group)
  })

  it.each([
    '/work/src/a.ts',
    '/work/src/hooks/use-toast.ts',
    '/work/hooks/use-mobile.tsx',
    '/work/src/objects/player.ts',
    '/work/src/config/index.ts',
    '/work/config/default.json',
    '/work/README.md',
    '/work/docs/head.md',
    '/work/src/refs/index.ts',
    '/work/styles/app.css',
    '/work/tests/a.test.ts',
    '/work/.editorconfig',
    '/work/.gitignore',
    '/work/Makefile',
    '/work/Dockerfile',
  ])('%s is none', (path) => {
    expect(groupsOf(path)).toEqual([])
  })

  it('knows files that people edit every day', () => {
    for (const path of ['/work/package.json', '/work/tsconfig.json', '/work/pyproject.toml']) {
      expect(
        findSteering(path).map(({ group }) => group.everyday),
        path,
      ).toEqual([true])
    }
  })

  it('is named by a pattern that names it, and not by one that only reaches it', () => {
    const [npmrc] = findSteering('/work/.npmrc')
    for (const pattern of ['./.npmrc', '.npmrc', '**/.npmrc', '/work/.npmrc', '.NPMRC'])
      expect(isNamedBy(pattern, npmrc!), pattern).toBe(true)
    for (const pattern of ['./**', '**', '.*', './.n*', '*', '*rc', '/work/**'])
      expect(isNamedBy(pattern, npmrc!), pattern).toBe(false)
    const [workflow] = findSteering('/work/.github/workflows/ci.yml')
    expect(isNamedBy('**/.github/workflows/**', workflow!)).toBe(true)
    expect(isNamedBy('.github/workflows/ci.yml', workflow!)).toBe(true)
    expect(isNamedBy('.github/**', workflow!)).toBe(false)
  })

  it('has a name for each group that no other has', () => {
    const names = STEERING_GROUPS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
