/** Programs whose first words say whether they wait for what is typed, and those that start another one that may. */
import { eachNamed } from '../../core/support/each-named.ts'
import { optionTableOf } from '../known-programs.ts'
import { readLine, subCommandsOf } from '../shell/options/command-line.ts'
import type { ShellWord } from '../shell/reading.ts'
import { isOwnInput, readInvocation } from './read-invocation.ts'
import type { StartedProgram } from './waits-for-typing.ts'

type Waits = (inner: StartedProgram) => boolean
type LooksAt = (started: StartedProgram, waits: Waits) => boolean | undefined

/** Undefined: there is nothing special about the program. */
export function waitsBySubcommand(started: StartedProgram, waits: Waits): boolean | undefined {
  return LOOKS.get(started.program)?.(started, waits)
}

const DOCKER = () => optionTableOf('docker')
const ENDS = { endsAtOperand: true } as const

const container: LooksAt = ({ words, isGiven }, waits) =>
  subCommandsOf(readLine('docker', words), words).some(({ word, at, operands }) => {
    const name = word.value ?? ''
    const rest = words.slice(at + 1)
    if (name === 'attach') return !isGiven
    if (name === 'compose') return compose({ program: 'compose', words: rest, isGiven }, waits) === true
    if (name === 'container' || name === 'machine')
      return container({ program: '', words: rest, isGiven }, waits) === true
    if (name === 'ssh') return !isGiven && operands.length < 2
    if (!/^(?:run|exec|create|start)$/.test(name)) return false
    const called = readInvocation(DOCKER().command(name)!, rest, ENDS)
    const isOpen = ['-i', '-t', '--interactive', '--tty'].some((option) => isOn(called.options.get(option)))
    if (isGiven || !isOpen || called.options.has('-d') || called.options.has('--detach')) return false
    return inside(called.rest.slice(1), waits)
  })

/** It takes the input unless it is told not to. */
const compose: LooksAt = ({ words, isGiven }, waits) => {
  const table = DOCKER().command('compose')!
  const { operands, rest } = readInvocation(table, words, ENDS)
  if (operands[0] === 'attach') return !isGiven
  if (isGiven || (operands[0] !== 'run' && operands[0] !== 'exec')) return false
  const called = readInvocation(table.command(operands[0])!, rest.slice(1), ENDS)
  if (called.options.has('-d') || called.options.has('--detach')) return false
  // Without a command it is whatever the service is, which is hardly a console.
  if (called.rest.length < 2) return false
  return inside(called.rest.slice(1), waits)
}

const kubectl: LooksAt = ({ words, isGiven }, waits) => {
  const line = readLine('kubectl', words)
  const names = subCommandsOf(line, words).map(({ word }) => word.value ?? '')
  if (names.includes('edit')) return true
  if (!isGiven && line.options.some(({ key, value }) => key === '--filename' && value === '-')) return true
  if (names.some((name) => /^(?:attach|rsh)$/.test(name))) return !isGiven
  if (!names.some((name) => /^(?:exec|run|debug)$/.test(name))) return false
  const isOpen = line.options.some(({ key, value }) => /^--(?:stdin|tty)$/.test(key) && value !== 'false')
  if (isGiven || !isOpen) return false
  const at = words.findIndex(({ value }) => value === '--')
  return inside(at === -1 ? [] : words.slice(at + 1), waits)
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== 'false'
}

/** What runs there, if it was said. */
function inside(words: readonly ShellWord[], waits: Waits): boolean {
  const [first, ...rest] = words
  if (first === undefined) return true
  if (first.value === undefined) return true
  return waits({ program: nameOf(first.value), words: rest, isGiven: false })
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Programs that fetch or find another and run it: behind which words, and whether there is a shell without one. */
function runner(subcommands: readonly string[], opensShell = false): LooksAt {
  const forms = {
    values:
      '-p -w --package --workspace --with --python --from --project --directory --env-file --filter --group --extra --spec',
    endsAtOperand: true,
  } as const
  return ({ program, words, isGiven }, waits) => {
    const table = optionTableOf(program)
    const subs = subCommandsOf(readLine(program, words), words)
    const starts =
      subcommands.length === 0
        ? [words]
        : subs.flatMap(({ word, at }) =>
            subcommands.includes(word.value ?? '') ? [words.slice(at + 1)] : [],
          )
    const found = starts.map((behind) => {
      let { operands, rest } = readInvocation(table, behind, forms)
      if (operands[0] === 'run' && subcommands.length > 0 && !subcommands.includes('run'))
        ({ operands, rest } = readInvocation(table, rest.slice(1), forms))
      const [first, ...more] = rest
      if (first === undefined) return opensShell && !isGiven
      if (first.value === undefined) return undefined
      const name = nameOf(first.value.replace(/(?<=.)@[^/]*$/, ''))
      return waits({ program: name, words: more, isGiven }) || undefined
    })
    return found.includes(true) || found[0]
  }
}

/** Consoles behind a first word. `unless`: an option with which it does its work and ends. */
function consoles(
  names: RegExp,
  { isBare = false, unless }: { isBare?: boolean; unless?: RegExp } = {},
): LooksAt {
  return ({ program, words, isGiven }) => {
    if (isGiven) return false
    if (unless !== undefined && words.some(({ value = '' }) => unless.test(value))) return false
    const line = readLine(program, words)
    const sure = line.operands.flatMap(({ word, inDoubt }) => (inDoubt ? [] : [word]))
    const calls = subCommandsOf(line, words).map(({ word, operands }) => [word, ...operands])
    if (calls.length === 0) return isBare
    return [sure, ...calls].some((call) => names.test(call.map(({ value }) => value ?? '').join(' ')))
  }
}

const tmux: LooksAt = ({ words }) => {
  const { operands, options, rest } = readInvocation(optionTableOf('tmux'), words, {
    values: '-c -f -L -S -T',
    ...ENDS,
  })
  if (options.has('-V')) return false
  const [name = ''] = operands
  if (options.has('-C') || name === '') return true
  if (/^(?:a|at|att.*)$/.test(name)) return true
  if (!/^new(?:-s.*)?$/.test(name)) return false
  return !readInvocation(optionTableOf('tmux'), rest.slice(1), {
    values: '-c -e -f -F -n -s -t -x -y',
  }).options.has('-d')
}

const screen: LooksAt = ({ words }) =>
  !words.some(({ value = '' }) => /^-(?:[a-zA-Z]*d[a-zA-Z]*m.*|dmS|ls|list|X|wipe|v)$/.test(value))

const socat: LooksAt = ({ words, isGiven }) =>
  !isGiven &&
  words.some(
    ({ value = '' }) => /^(?:-|stdio|stdin|readline|\/dev\/)/i.test(value) && !/^-[a-z]/i.test(value),
  )

const EDITS_MESSAGE =
  /^(?:-[a-zA-Z]*[mFC]|--message|--file|--no-edit|--reuse-message|--fixup|--squash|--dry-run)/

/** Where it opens an editor, or asks about each piece. Editors run what they are told to. */
const git: LooksAt = ({ words, isGiven }) =>
  subCommandsOf(readLine('git', words), words).some(({ word, at }) =>
    gitWaits(word.value, words.slice(at + 1), isGiven),
  )

function gitWaits(name: string | undefined, rest: readonly ShellWord[], isGiven: boolean): boolean {
  const values = rest.map(({ value }) => value ?? '')
  const has = (option: RegExp) => values.some((value) => option.test(value))
  switch (name) {
    case 'commit':
      return has(/^(?:-[a-zA-Z]*[pe]|--patch|--interactive|--edit)$/) || !has(EDITS_MESSAGE)
    case 'tag':
      return has(/^(?:-a|-s|--annotate|--sign)$/) && !has(EDITS_MESSAGE)
    case 'rebase':
      return has(/^(?:-i|--interactive|--edit-todo)$/)
    case 'add':
    case 'checkout':
    case 'reset':
    case 'restore':
    case 'stash':
      return !isGiven && has(/^(?:-i|-p|-e|--interactive|--patch|--edit)$/)
    case 'config':
      return has(/^(?:-e|--edit)$/) || values[0] === 'edit'
    case 'notes':
      return values[0] === 'edit'
    case 'apply':
    case 'am':
      // A patch that is typed is one that nobody has seen.
      return !isGiven && !has(/^(?:--continue|--abort|--skip|--quit|--show-current-patch)/) && !has(/^[^-]/)
    case 'fast-import':
    case 'difftool':
    case 'mergetool':
      return !isGiven
    case 'update-index':
      return !isGiven && has(/^(?:--stdin|--index-info)$/)
    case 'clean':
      return !isGiven && has(/^(?:-[a-z]*i[a-z]*|--interactive)$/)
    default:
      return false
  }
}

const php: LooksAt = ({ words, isGiven }) => {
  const values = words.map(({ value }) => value ?? '')
  const at = values.findIndex((value) => /(?:^|\/)artisan$/.test(value))
  if (at === -1) return undefined
  return (
    !isGiven &&
    /^(?:tinker|db)$/.test(values[at + 1] ?? '') &&
    !values.some((value) => value.startsWith('--execute'))
  )
}

/** With `inspect` in front, it is a debugger. */
const node: LooksAt = ({ words, isGiven }) => (!isGiven && words[0]?.value === 'inspect' ? true : undefined)

/** It may name a file of its own to read the commands from. */
const filter =
  (scriptOptions: RegExp): LooksAt =>
  ({ program, words, isGiven }) => {
    if (isGiven) return false
    const { operands, options } = readInvocation(optionTableOf(program), words)
    const hasScript = [...options.keys()].some((name) => scriptOptions.test(name))
    return operands.length < (hasScript ? 1 : 2)
  }

/** It is told by an option to take what it is typed. */
const takesOwn =
  (option: string): LooksAt =>
  ({ program, words, isGiven }) =>
    !isGiven && isOwnInput(readInvocation(optionTableOf(program), words).options.get(option) ?? '')

const either =
  (first: LooksAt, second: LooksAt): LooksAt =>
  (started, waits) =>
    first(started, waits) ?? second(started, waits)

const LOOKS: ReadonlyMap<string, LooksAt> = new Map<string, LooksAt>([
  ...eachNamed('docker podman nerdctl', container),
  ...eachNamed('docker-compose podman-compose', compose),
  ...eachNamed('kubectl oc k3s', kubectl),
  ...eachNamed('npx bunx pnpx uvx', runner([])),
  ['npm', either(runner(['exec', 'x'], true), consoles(/^explore \S+$/))],
  ['pnpm', runner(['exec', 'dlx', 'x'])],
  ['yarn', yarn],
  ['bun', either(runner(['x']), consoles(/^repl\b/))],
  ['uv', runner(['run', 'tool', 'x'])],
  ...eachNamed('rye pdm conda mamba volta', runner(['run'])),
  ['bundle', either(runner(['exec']), consoles(/^console\b/))],
  ...eachNamed('poetry pipenv hatch', either(runner(['run']), consoles(/^shell\b/))),
  ...eachNamed('rails hanami', consoles(/^(?:c|console|db|dbconsole)\b/)),
  ['flask', consoles(/^shell\b/)],
  ['jupyter', consoles(/^(?:console|qtconsole)\b/)],
  ['lein', consoles(/^repl\b/)],
  ['dotnet', consoles(/^fsi$/)],
  ['deno', consoles(/^repl\b/, { isBare: true, unless: /^(?:-V|--eval)/ })],
  ['nix', consoles(/^(?:develop|shell|repl)\b/, { unless: /^(?:-c|--command)$/ })],
  ['guix', consoles(/^(?:shell|environment|repl)\b/, { unless: /^--$/ })],
  [
    'heroku',
    consoles(
      /^(?:run\S* (?:\S*\/)?(?:ba|z)?sh$|run\S* (?:console|python|node|irb|rails c)|ps:exec$|psql$|pg:psql$)/,
      { unless: /^(?:-c|--command)/ },
    ),
  ],
  ...eachNamed(
    'fly flyctl',
    consoles(/^(?:ssh console|console|postgres connect)\b/, { unless: /^(?:-C|--command)/ }),
  ),
  ['gcloud', consoles(/\bssh\b|^(?:beta )?interactive\b|\bsql connect\b/, { unless: /^--command/ })],
  ['aws', consoles(/^(?:ssm start-session|ecs execute-command)\b/)],
  ['machinectl', consoles(/^(?:shell|login)\b/)],
  ['lxc', consoles(/^(?:shell|console)\b|^exec \S+ (?:-- )?(?:\S*\/)?(?:ba|z)?sh$/)],
  ['virsh', consoles(/^(?:console|edit)\b/, { isBare: true })],
  ['systemctl', consoles(/^edit\b/, { unless: /^--stdin$/ })],
  ['cockroach', consoles(/^sql\b/, { unless: /^(?:-e|-f|--execute|--file)/ })],
  ['clickhouse', consoles(/^(?:client|local)\b/, { unless: /^(?:-q|--query|--queries-file)/ })],
  ['vagrant', consoles(/^ssh\b/, { unless: /^(?:-c|--command)/ })],
  ['adb', consoles(/^shell$/)],
  ['tmux', tmux],
  ['screen', screen],
  ['socat', socat],
  ['git', git],
  ['php', php],
  ['node', node],
  ...eachNamed('sed gsed', filter(/^-[ef]$/)),
  ...eachNamed('awk gawk mawk nawk', awk()),
  [
    'xargs',
    ({ isGiven, words }) => !isGiven && !words.some(({ value = '' }) => /^(?:-a|--arg-file)/.test(value)),
  ],
  ['dd', ({ isGiven, words }) => !isGiven && !words.some(({ value = '' }) => /^(?:if=|--)/.test(value))],
  [
    'parallel',
    ({ isGiven, words }) => !isGiven && !words.some(({ value = '' }) => /^(?:-a|--arg-file|:::)/.test(value)),
  ],
  ...eachNamed('make gmake', takesOwn('-f')),
  ['curl', takesOwn('-K')],
  ...eachNamed('tar gtar bsdtar', tar),
  ...eachNamed('tini dumb-init catatonit winpty sshpass choom cpulimit rlfe corepack pipx', starter),
  ...eachNamed('pyenv rbenv asdf fnm', runner(['exec'])),
  ['mise', runner(['exec', 'x'])],
  ['autossh', (started, waits) => waits({ ...started, program: 'ssh' })],
  ['stack', consoles(/^(?:ghci|repl)\b/)],
  ['cabal', consoles(/^(?:repl|v2-repl)\b/)],
  ['django-admin', consoles(/^(?:shell|shell_plus|dbshell)\b/, { unless: /^(?:-c|--command)/ })],
  ['aws-vault', consoles(/^exec \S+$/)],
  [
    'systemd-run',
    ({ words, isGiven }) =>
      !isGiven && words.some(({ value = '' }) => /^(?:-S|--shell)$/.test(value)) ? true : undefined,
  ],
  ['capsh', ({ words, isGiven }) => !isGiven && words.at(-1)?.value === '--'],
  ...eachNamed('unshare nsenter', opener),
])

function yarn(started: StartedProgram, waits: Waits): boolean | undefined {
  const { words } = started
  const node = subCommandsOf(readLine('yarn', words), words).find(({ word }) => word.value === 'node')
  if (node !== undefined) return waits({ ...started, program: 'node', words: words.slice(node.at + 1) })
  return runner(['exec', 'dlx', 'run'])(started, waits)
}

/** A program that only has a `BEGIN` reads nothing. */
function awk(): LooksAt {
  const look = filter(/^-f$/)
  return (started, waits) =>
    started.words.some(({ value = '' }) => /^\s*BEGIN\s*\{[^}]*\}\s*$/.test(value))
      ? false
      : look(started, waits)
}

/** It unpacks what it is given where no archive is named. */
function tar({ words, isGiven }: StartedProgram): boolean {
  const { options } = readInvocation(optionTableOf('tar'), words)
  return !isGiven && options.has('-x') && isOwnInput(options.get('-f') ?? '-')
}

/** The first word that names a program which waits is what it starts. */
function starter({ words, isGiven }: StartedProgram, waits: Waits): boolean | undefined {
  for (const [at, { value = '' }] of words.entries()) {
    if (value.startsWith('-') || /^\d+$/.test(value)) continue
    if (waits({ program: nameOf(value), words: words.slice(at + 1), isGiven })) return true
  }
  return undefined
}

function opener({ words, isGiven }: StartedProgram): boolean | undefined {
  return isGiven ? false : words.every(({ value = '' }) => value.startsWith('-') || /^\d+$/.test(value))
}
