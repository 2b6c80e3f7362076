/**
 * Programs that run what stands in their words, as is their purpose: `uv run pytest`, `docker exec web ls`. An allow of the
 * whole command is enough for them. A deny or an ask looks for its program among the words.
 */
import { knownPrograms } from '../../known-programs.ts'
import type { ShellWord } from '../reading.ts'
import { isFollowed } from './look-through.ts'

/** The words behind which a command stands; none: it may stand anywhere. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  npx: [],
  pnpm: ['exec', 'dlx', 'x'],
  yarn: ['exec', 'dlx'],
  bun: ['x'],
  bundle: ['exec'],
  poetry: ['run'],
  uv: ['run', 'tool', 'x'],
  pipx: ['run'],
  docker: ['run', 'exec', 'compose', 'container'],
  podman: ['run', 'exec', 'compose', 'container', 'machine'],
  'docker-compose': ['run', 'exec'],
  kubectl: ['run', 'exec', 'debug'],
  gcloud: ['ssh'],
  git: ['config'],
}

/** Commands of the shell itself, which run none of their words unless the reading of the line says so. */
const BUILT_IN: ReadonlySet<string> = new Set(
  (
    'local unset alias unalias read let return exit shift getopts trap wait ulimit umask shopt eval source . builtin cd ' +
    'pushd popd bg fg jobs times logout mapfile readarray compgen complete compopt bind hash enable help suspend disown ' +
    'caller break continue'
  ).split(' '),
)

/** Where the words begin that may be a command; undefined where it runs none of them. A program that nobody knows may run any. */
export function runsFrom(program: string, words: readonly ShellWord[]): number | undefined {
  if (Object.hasOwn(RUNNERS, program)) {
    const before = RUNNERS[program] ?? []
    if (before.length === 0) return 0
    const at = words.findIndex(({ value }) => value === undefined || before.includes(value))
    return at === -1 ? undefined : at + 1
  }
  return knownPrograms().has(program) || isFollowed(program) || BUILT_IN.has(program) ? undefined : 0
}
