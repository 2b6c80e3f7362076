/**
 * `banksman connect <agent> --print`: the entries for people who keep an agent's settings by hand, such as among their dotfiles. They run
 * `banksman hook`, which is slower than the script and stays the same with every version. Nothing is written.
 */
import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import type { AgentSetup, GateMode, HookWiring } from '../../coding-agents/setup/agent-setup.ts'
import { shellWord } from '../../coding-agents/setup/shell-word.ts'
import { connectionFiles } from '../../server/connect/connection-record.ts'
import { findProgram } from '../../server/connect/find-agent.ts'
import { findRunningServer } from '../../server/installation/find-running-server.ts'
import type { Context } from '../command-line/command.ts'
import { type ConnectionValues, dataFolderOf, isRemote } from '../connection/connect.ts'
import { EXIT, type ExitCode, usageError } from '../output/failures.ts'
import { safeJson, visible, visibleLines } from '../output/safe-text.ts'
import { placeOf } from './named-agent.ts'

export function printHooks(
  setup: AgentSetup,
  mode: GateMode,
  values: ConnectionValues & { json: boolean },
  context: Context,
): ExitCode {
  const { terminal, environment } = context
  if (setup.modes[mode] === undefined)
    throw usageError(`${setup.title} can't be connected with --my-rules-first`)
  const program = ownProgram(context)
  const files = setup
    .files(placeOf(context), wiringFor(setup, mode, { program, values }, context))
    .map((file) => ({ path: file.path, text: file.add(undefined) }))
  const { token } = connectionFiles(environment, setup.name)
  const create = `${program.map((word) => plainWord(word)).join(' ')} tokens create --role agent --subject ${shellWord(`${setup.name}@${hostname()}`)} --scope hooks:${setup.name}`
  const make = `mkdir -p -m 700 ${shellWord(dirname(token))} && ${create} --output ${shellWord(token)}`
  if (values.json) {
    terminal.print(safeJson({ agent: setup.name, files, token: make }, 2))
    return EXIT.done
  }
  for (const { path, text } of files)
    terminal.print(`--- ${visible(path)}\n${visibleLines(text.trimEnd())}\n`)
  terminal.note(`Nothing was written. Make the token once, with: ${visible(make)}`)
  const [, script] = program
  if (script !== undefined)
    terminal.note(
      `There is no \`banksman\` in PATH, so the commands name ${visible(script)}.${/[\\/]_npx[\\/]/.test(script) ? ' npx may throw that away.' : ''} To have them run \`banksman\`, install it (npm install -g banksman) and print them again.`,
    )
  if (setup.trust !== undefined)
    terminal.note(`${setup.title} runs these hooks only once you have told it to trust them.`)
  terminal.note(
    'Nothing proves that such hooks arrive, and `banksman doctor` and `disconnect` don’t know of them. `banksman connect` without --print does all of that.',
  )
  return EXIT.done
}

/** The name, which is the same on every machine; where it isn't in PATH, as with npx, what runs now. */
function ownProgram({ environment }: Context): string[] {
  if (findProgram('banksman', environment) !== undefined) return ['banksman']
  return [process.execPath, realpathSync(process.argv[1] ?? '')]
}

function plainWord(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : shellWord(word)
}

function wiringFor(
  { name }: AgentSetup,
  mode: GateMode,
  { program, values }: { program: readonly string[]; values: ConnectionValues },
  context: Context,
): HookWiring {
  const { environment } = context
  const { script, token: tokenFile } = connectionFiles(environment, name)
  const folder = dataFolderOf(values, context)
  const url = isRemote(values, context) ? (values.url ?? environment.BANKSMAN_URL ?? '') : undefined
  const where = url === undefined ? ['--data', folder.path] : ['--url', url]
  const socket = url === undefined ? findRunningServer(folder)?.socket : undefined
  return {
    mode,
    script,
    tokenFile,
    command: [...program, 'hook', name, ...where, '--token-file', tokenFile],
    // For a plugin, which has no command.
    server:
      url === undefined
        ? { kind: 'socket', path: socket ?? `${folder.path}/run/banksman.sock` }
        : { kind: 'url', url },
  }
}
