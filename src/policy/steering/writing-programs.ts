/**
 * What programs write besides what they are told by name. Archives, checkouts, installs and downloads of whole trees bring
 * files whose names nobody has seen. Programs that run any file as code (tests, builds, interpreters) may write anything
 * too, but whoever lets them run has let code of the folder run already: they are not counted, and neither are files that
 * they are not given by name.
 */

import { knownPrograms } from '../known-programs.ts'
import { lineOf, moduleOf, subCommandsOf } from '../shell/options/command-line.ts'
import type { ShellCommand } from '../shell/reading.ts'
import { spendSteps } from '../steps.ts'

/**
 * - `nothing`: no file but what redirections name.
 * - `named`: files that stand among its words, or that lie under the same name in a folder that does.
 * - `anything`: files that it does not name.
 * - a group: files of that group, wherever they are.
 */
export type WriteReach = 'nothing' | 'named' | 'anything' | { readonly groups: readonly string[] }

const ANYTHING = words(
  'unzip cpio pax 7z 7za 7zr 7zz unrar rar unar arc lha unace cabextract ouch dtrx atool aunpack rsync scp sftp lftp',
  'patch apply_patch applypatch svn svnadmin hg jj bzr fossil cvs p4 sl apt apt-get aptitude dpkg dpkg-deb rpm rpm2cpio apk dnf dnf5 yum zypper',
  'pacman yay snap flatpak brew port nix nix-env nix-shell conda mamba micromamba asdf mise nvm fnm volta corepack sdk',
  'rename mmv degit tiged giget gitpick cookiecutter copier yo plop hygen create-react-app create-vite debootstrap ditto robocopy',
  'ed ex split csplit',
)

/** These write what they name: whatever else a word of theirs is, it may be a file. */
const NAMED = words(
  'touch mkdir tee gtee truncate dd cp gcp mv gmv ln gln install ginstall rm grm rmdir unlink rimraf trash trash-put link chmod chown chgrp',
  'sed gsed sort gsort shuf uniq base64 basenc iconv xxd mktemp gzip gunzip pigz bzip2 bunzip2 xz unxz lzma',
  'unlzma zstd unzstd zip curl wget openssl sponge awk gawk mawk nawk jq yq column fold xmllint sqlite3 pandoc',
  'ffmpeg ffprobe convert magick identify cwebp optipng pngquant redis-cli open xdg-open',
)

/** Programs without a profile that run what the folder tells them to, as `make` does. */
const RUNS_CODE = words(
  'just task tox nox hatch pdm rye bazel bazelisk buck buck2 sbt mill lein clj mix rebar3 elixir ant meson scons waf rake',
  'jest ava tap mocha cypress playwright nx turbo lerna gulp grunt webpack vite rollup esbuild parcel next nuxt astro ng vue',
  'phpunit pest rspec minitest swift xcodebuild dart flutter zig nim crystal ghc cabal stack opam dune julia Rscript lua',
  'luajit tsx ts-node electron gatsby hugo jekyll mkdocs sphinx-build ctest bats shellcheck shfmt pyright pylint isort',
  'sh bash zsh dash ksh source . rails flask alembic django-admin uvicorn gunicorn celery streamlit',
  'golangci-lint staticcheck clippy-driver hadolint actionlint yamllint markdownlint stylelint rubocop',
)

/** By program: which sub-commands run code or change nothing in the folder; all others bring files. */
const QUIET: Readonly<Record<string, ReadonlySet<string>>> = {
  npm: words(
    'test t tst run run-script start stop restart exec x publish pack view info show v search s outdated login logout adduser',
    'whoami ping token owner team access org profile star stars unstar deprecate dist-tag hook bugs docs repo fund doctor pkg',
    'version explain why ls list la ll root prefix bin query help get sbom',
  ),
  npx: words('*'),
  yarn: words(
    'run test start build lint exec node why list info outdated audit version pack npm workspaces workspace',
  ),
  pnpm: words('run test t start exec list ls why outdated audit publish pack root bin licenses recursive'),
  bun: words('run test x build pm outdated publish'),
  deno: words('run test task check lint fmt bench doc info eval repl coverage types serve'),
  pip: words('list show freeze check inspect hash cache config debug index search'),
  pipx: words('run list environment runpip'),
  uv: words('run version tree export build publish cache help'),
  poetry: words('run build publish check show version about env search config shell'),
  gem: words('list environment env which contents search query build push info'),
  bundle: words('exec check list show info outdated viz open'),
  composer: words('exec run-script run test show outdated validate why audit licenses search'),
  cargo: words(
    'build b test t run r check c clippy bench doc d fmt tree metadata update fetch add remove rm clean search publish package',
    'login owner yank nextest audit deny expand miri version help',
  ),
  go: words('build test run vet fmt list doc env version generate tool clean fix bug'),
  gh: words(
    'api issue label search secret variable auth config alias status browse workflow cache project ruleset ssh-key gpg-key',
  ),
  docker: words(
    'run build exec compose start stop restart kill rm rmi pull push tag login logout create commit wait attach buildx',
  ),
  podman: words(
    'run build exec compose start stop restart kill rm rmi pull push tag login logout create commit wait attach',
  ),
  kubectl: words(
    'apply create delete edit patch replace scale rollout exec run expose label annotate set port-forward drain',
  ),
  dotnet: words('build run test watch publish pack clean format msbuild vstest list sln help'),
  'pre-commit': words('run validate-config validate-manifest sample-config gc clean help'),
  helm: words('install upgrade uninstall rollback test template lint list status get history'),
  terraform: words(
    'plan apply destroy validate fmt output show state refresh taint untaint console graph test workspace',
  ),
  tofu: words(
    'plan apply destroy validate fmt output show state refresh taint untaint console graph test workspace',
  ),
  git: words(
    'add commit push fetch tag branch rm mv notes gc prune repack pack-refs pack-objects update-index update-ref symbolic-ref',
    'replace rerere reflog clean status log show diff blame grep bisect-log send-email request-pull fsck count-objects',
  ),
}
for (const [alias, program] of [
  ['pnpx', 'npx'],
  ['bunx', 'npx'],
  ['yarnpkg', 'yarn'],
  ['pip3', 'pip'],
  ['bundler', 'bundle'],
] as const) {
  ;(QUIET as Record<string, ReadonlySet<string>>)[alias] = QUIET[program]!
}

/** What a package runner may be asked for that is no tool of the project but brings files. */
const FETCHERS = /^(?:create$|init$|add$|new$|create-|@[\w.-]+\/create\b|degit|tiged|giget|gitpick|gitget)/

/** Python's own ways to install: `python -m pip install`. */
const INSTALLING_MODULES = words('pip venv virtualenv ensurepip pipx zipfile tarfile compileall uv poetry')

export function writeReachOf(command: ShellCommand): WriteReach {
  const { program, words: given } = command
  if (program === undefined) return 'anything'
  spendSteps(given.length)
  const values = given.map(({ value }) => value ?? '')
  if (ANYTHING.has(program)) return 'anything'
  if (NAMED.has(program)) return 'named'
  if (/^g?find$/.test(program) && values.some((value) => /^-f(?:print|ls)/.test(value))) return 'named'
  if (/^(?:tar|gtar|bsdtar|jar|ar)$/.test(program)) return extracts(values) ? 'anything' : 'named'
  const module = /^python[\d.]*$/.test(program) ? moduleOf(given) : undefined
  if (module !== undefined) return INSTALLING_MODULES.has(module.name ?? '') ? 'anything' : 'nothing'
  if (program === 'gradle' && values.some((value) => /^(?:init|wrapper)$/.test(value))) return 'anything'
  if (program === 'mvn' && values.some((value) => /^(?:archetype|wrapper):/.test(value))) return 'anything'
  if (program === 'rustup') return { groups: ['rust'] }
  const quiet = Object.hasOwn(QUIET, program) ? QUIET[program] : undefined
  if (quiet !== undefined) return reachOfCommand(command, quiet, values)
  const profile = knownPrograms().get(program)
  if (profile !== undefined) {
    if (profile.can?.includes('code')) return 'nothing'
    return profile.can?.includes('write') === true
      ? profile.can.includes('network')
        ? 'anything'
        : 'named'
      : 'nothing'
  }
  // A program that is named by a path is a file of the folder that is run as code.
  return command.path !== undefined || RUNS_CODE.has(program) ? 'nothing' : 'anything'
}

function reachOfCommand(
  command: ShellCommand,
  quiet: ReadonlySet<string>,
  values: readonly string[],
): WriteReach {
  const { program = '' } = command
  if (quiet.has('*')) return values.some((value) => FETCHERS.test(value)) ? 'anything' : 'nothing'
  if (program === 'git') {
    const at = values.findIndex((value) => !value.startsWith('-'))
    return reachOfGit(at === -1 ? '' : (values[at] ?? ''), values.slice(at + 1), at, quiet)
  }
  const found = subCommandsOf(lineOf(command), command.words).map(({ at }) => at)
  const reaches = (found.length === 0 ? [values.length] : found).map((at) =>
    reachOfSub(program, quiet, values[at] ?? '', values.slice(at + 1)),
  )
  return reaches.find((reach) => reach !== 'nothing') ?? 'nothing'
}

const IN_HOME: WriteReach = { groups: ['programs in the home folder'] }

function reachOfSub(
  program: string,
  quiet: ReadonlySet<string>,
  sub: string,
  rest: readonly string[],
): WriteReach {
  const has = (option: RegExp) => rest.some((value) => option.test(value))
  if (/^(?:config|c|set)$/.test(sub) && /^(?:npm|yarn|pnpm)/.test(program)) return { groups: ['npm'] }
  if (sub === 'config' && /^pip/.test(program)) return { groups: ['python'] }
  if (sub === 'config' && program === 'poetry') return { groups: ['python tools'] }
  if (sub === 'config' && program === 'kubectl') return IN_HOME
  if (sub === 'audit' && program === 'npm') return has(/^fix$/) ? 'anything' : 'nothing'
  if (program === 'go' && sub === 'env') return has(/^-[wu]/) ? { groups: ['go'] } : 'nothing'
  if (program === 'go' && sub === 'mod') return has(/^vendor$/) ? 'anything' : { groups: ['projects'] }
  if (/^(?:exec|x|dlx)$/.test(sub) && has(FETCHERS)) return 'anything'
  if (program === 'gh') return reachOfGh(sub, rest, quiet)
  if (/^(?:docker|podman)$/.test(program) && (sub === 'cp' || has(/^cp$/))) return 'anything'
  if (/^(?:docker|podman)$/.test(program) && /^build/.test(sub) && has(/^(?:-o|--output)/)) return 'anything'
  if (program === 'helm' && has(/^--output-dir/)) return 'anything'
  // `yarn build` runs a script, and `yarn` alone installs.
  const runsScript = /^(?:yarn|yarnpkg|bun|pnpm)$/.test(program) && sub !== '' && !BRINGS.has(sub)
  return quiet.has(sub) || runsScript ? 'nothing' : 'anything'
}

function reachOfGh(sub: string, rest: readonly string[], quiet: ReadonlySet<string>): WriteReach {
  const has = (option: RegExp) => rest.some((value) => option.test(value))
  if (/^(?:config|alias)$/.test(sub)) return has(/^(?:set|import)$/) ? IN_HOME : 'nothing'
  if (sub === 'auth') return { groups: ['git', 'programs in the home folder'] }
  if (sub === 'issue') return has(/^(?:--checkout|-c)/) ? 'anything' : 'nothing'
  if (/^(?:pr|run|release|gist|repo|codespace|cs)$/.test(sub))
    return has(/^(?:checkout|co|clone|download|fork|sync|cp|merge|--clone|-c)$/) ? 'anything' : 'nothing'
  return quiet.has(sub) ? 'nothing' : 'anything'
}

const BRINGS = words(
  'install i add a up update upgrade upgrade-interactive remove rm uninstall un unlink link ln import dlx create c init set',
  'plugin plugins policies unplug patch patch-commit patch-apply fetch rebuild rb prune deploy env setup self-update config',
  'dedupe ci autoclean self global store approve-builds runtime',
)

function reachOfGit(
  sub: string,
  rest: readonly string[],
  at: number,
  quiet: ReadonlySet<string>,
): WriteReach {
  if (sub === 'config' || sub === 'remote' || sub === 'maintenance')
    return { groups: ['git', 'bare git repository'] }
  // What stands before the sub-command may be any setting, and a folder elsewhere.
  if (at > 0) return 'anything'
  // A branch that begins here changes no file.
  if (/^(?:checkout|switch)$/.test(sub) && rest.length === 2 && /^-[bc]$/.test(rest[0] ?? ''))
    return 'nothing'
  if (sub === 'reset') return rest.some((value) => /^--(?:h|m|k)/.test(value)) ? 'anything' : 'nothing'
  return quiet.has(sub) ? (sub === 'mv' ? 'named' : 'nothing') : 'anything'
}

/** Whether an archive is unpacked, in the old way of writing options or in the new one. */
function extracts(values: readonly string[]): boolean {
  return values.some(
    (value, at) =>
      /^--(?:ex|ge)/.test(value) ||
      /^-[a-zA-Z]*x/.test(value) ||
      (at === 0 && value.includes('x') && /^[a-zA-Z]+$/.test(value)),
  )
}

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
