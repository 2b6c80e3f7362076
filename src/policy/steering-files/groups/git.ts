/** Files that steer git, and programs that call it. Git's settings name commands that even `git status` runs. */
import type { SteeringGroup } from '../steering-group.ts'

/** These run git, or read its settings by themselves. */
const GIT_CALLERS = [
  ...['git', 'gh', 'biome', 'cargo', 'go', 'composer', 'pip', 'pip3', 'pipx', 'uv', 'poetry'],
  ...['pnpm', 'pnpx', 'yarn', 'yarnpkg', 'vitest', 'jest'],
]

/** A project may keep its hooks in any folder, which its settings name: these run with commands that only read, too. */
const HOOKS = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'commit-msg'],
  ...[
    'prepare-commit-msg',
    'post-commit',
    'pre-rebase',
    'post-checkout',
    'post-merge',
    'pre-push',
    'post-rewrite',
  ],
  ...[
    'pre-auto-gc',
    'post-index-change',
    'reference-transaction',
    'fsmonitor-watchman',
    'sendemail-validate',
  ],
  ...['pre-receive', 'post-receive', 'post-update', 'proc-receive', 'push-to-checkout'],
]

export const GIT_GROUPS: readonly SteeringGroup[] = [
  {
    name: 'git',
    files: [
      '.git/**',
      // What Windows calls it in short.
      'git~*/**',
      '*.git/**',
      '.gitattributes',
      '.gitmodules',
      '.gitconfig',
      '.gitconfig.*',
      '.gitconfig-*',
      'gitconfig',
      '*.gitconfig',
      '.gitalias',
      '.lfsconfig',
      '.githooks/**',
      'githooks/**',
      'git-hooks/**',
      ...HOOKS,
      '.config/git/**',
      'info/attributes',
    ],
    why: 'steers.git',
    readBy: GIT_CALLERS,
  },
  {
    name: 'bare git repository',
    files: [
      'HEAD',
      'config',
      'config.worktree',
      'packed-refs',
      'commondir',
      'gitdir',
      'worktrees/*/<plain>',
      // React keeps its hooks in folders of this name, with an extension; git's have none.
      'hooks/<plain>',
      'hooks/*.exe',
      '^/objects/**',
      '^/refs/**',
      'objects',
      'objects/<plain>',
      'objects/*/<plain>',
      'objects/info/**',
      'objects/pack/**',
      'refs',
      'refs/<plain>',
      'refs/*/<plain>',
      'refs/heads/**',
      'refs/tags/**',
      'refs/remotes/**',
    ],
    why: 'steers.bare-git',
    readBy: GIT_CALLERS,
  },
  {
    name: 'other version control',
    files: ['.hg/**', '.hgrc', '.jj/**', '.svn/**', '.bzr/**', '.fossil-settings/**', '.p4config'],
    why: 'steers.version-control',
    readBy: [],
  },
]
