/** Files that steer git, and programs that call it. Git's settings name commands that even `git status` runs. */
import type { SteeringGroup } from '../steering-group.ts'

/** These run git, or read its settings by themselves. */
const GIT_CALLERS = ['git', 'gh', 'biome', 'cargo']

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
      '.githooks/**',
      '.config/git/**',
      'info/attributes',
    ],
    why: 'it can name commands that git runs, even for a mere status',
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
    why: 'with a few such files git takes the folder for a repository and runs what its `config` and `hooks` name',
    readBy: GIT_CALLERS,
  },
]
