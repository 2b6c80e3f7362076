/** `banksman connect` */
import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Client } from '../../client/index.ts'
import {
  type AgentPlace,
  type AgentSetup,
  type GateMode,
  isAtLeast,
  limitsOf,
} from '../../coding-agents/setup/agent-setup.ts'
import { defined } from '../../core/defined.ts'
import { agentTools } from '../../server/connect/agent-tools.ts'
import {
  connectAgent,
  type HookTokens,
  planConnection,
  trustFileOf,
  type WantedConnection,
} from '../../server/connect/connect-agent.ts'
import { exposedTokens } from '../../server/connect/exposed-token.ts'
import {
  findAgent,
  findLeftAside,
  findProgram,
  type InstalledAgent,
} from '../../server/connect/find-agent.ts'
import { beliefOf } from '../../server/connect/hook-trust-in-server.ts'
import { readOthers } from '../../server/connect/read-others.ts'
import { findRunningServer } from '../../server/installation/find-running-server.ts'
import { type Context, defineCommand, JSON_OPTION } from '../command-line/command.ts'
import { connectMcpServers } from '../connect/connect-mcp.ts'
import { listConnections } from '../connect/list-connections.ts'
import { AGENT_NAMES, placeOf, setupNamed } from '../connect/named-agent.ts'
import { checkWithoutMcp, MCP_CLIENT_NAMES, MCP_OPTIONS } from '../connect/named-client.ts'
import { printHooks } from '../connect/print-hooks.ts'
import { agree, showPlanned } from '../connect/show-planned.ts'
import {
  CONNECTION_OPTIONS,
  type ConnectionValues,
  connect as connectServer,
  dataFolderOf,
  isRemote,
} from '../connection/connect.ts'
import { CommandFailure, EXIT, usageError } from '../output/failures.ts'
import { rendered, safeJson, visible } from '../output/safe-text.ts'

export const connect = defineCommand({
  about: `Puts Banksman in front of a coding agent that you run yourself: ${AGENT_NAMES.join(', ')}. From then on each call it wants to make is
checked by the policy of your server, and what needs approval you approve or reject in the inbox, a chat or a terminal.

It finds the agent, shows you which lines it would add to the agent's own settings, asks, writes them, and proves with a test event that they
reach the server. The agent gets a token that is good for its hook and nothing else. While the server isn't running, the agent's
calls are refused. \`banksman disconnect\` undoes all of it.

With --mcp it puts Banksman in front of MCP servers instead, in the configuration files of an MCP client: ${MCP_CLIENT_NAMES.join(', ')}. Each entry is
started through \`banksman mcp\`, with a token that is good for that server only; the rest of the file stays as it is. Each server is then started once, and if
one doesn't answer, everything is put back. Name servers to connect only those. Servers that the client logs in to by itself (OAuth) are left alone.

Without an agent it lists those that are found on this machine, whether each is connected, and whether that works.`,
  positionals: [
    { name: 'agent', required: false },
    { name: 'server', required: false, several: true },
  ],
  options: {
    ...MCP_OPTIONS,
    'my-rules-first': {
      kind: 'flag',
      about: "check only what the agent's own rules would ask you about; what they allow is not checked",
    },
    script: {
      kind: 'flag',
      about: 'use the script and the Unix socket also where the agent could send events over HTTP',
    },
    print: {
      kind: 'flag',
      about: 'print the entries for settings that you keep by hand, and write nothing',
    },
    program: { kind: 'text', value: 'FILE', about: 'the program of the agent (default: looked up in PATH)' },
    yes: { kind: 'flag', about: 'write without asking' },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman connect claude-code', about: 'every call of Claude Code is checked' },
    { line: 'banksman connect codex --yes', about: 'in a script, without asking' },
    { line: 'banksman connect claude-desktop --mcp', about: 'every MCP server of Claude Desktop' },
    { line: 'banksman connect cursor --mcp github', about: 'one of them' },
    { line: 'banksman connect codex --print', about: 'for settings that you keep by hand' },
    { line: 'banksman connect', about: 'what is connected, and whether it works' },
  ],
  async run({ values, positionals: [named, ...servers] }, context) {
    if (values.mcp) {
      if (values.print)
        throw usageError('--print is for hooks; with --mcp, --dry-run shows what would be written')
      if (named === undefined) throw usageError(`name the client: ${MCP_CLIENT_NAMES.join(', ')}`)
      return connectMcpServers(named, servers, values, context)
    }
    checkWithoutMcp(servers, values)
    if (named === undefined) return listConnections({ isJson: values.json, values }, context)
    const setup = setupNamed(named, 'connect')
    const { terminal } = context
    const place = placeOf(context)
    const mode = values['my-rules-first'] ? 'own_rules_first' : 'everything'
    if (values.print) return printHooks(setup, mode, values, context)
    if (!terminal.isInteractive && !values.yes)
      throw usageError('this needs a terminal to confirm at; pass --yes to write without confirmation')
    const found = await findChecked(setup, place, mode, values.program, context)
    const client = await connectServer(values, context)
    const wanted = wantedConnection(setup, mode, found, values, context)
    showPlanned(planConnection(wanted), context)
    const trustFile = trustFileOf(wanted)
    if (trustFile !== undefined)
      terminal.note(
        `\n${visible(trustFile)}\n  Here ${setup.title} is told to trust these hooks; otherwise it would skip them silently.`,
      )
    if (!values.yes) await agree('Write this? [Y/n] ', 'nothing was written', context)
    const record = await connectAgent(wanted, hookTokens(client, setup), agentTools(setup.name))
    for (const { message, advice } of exposedTokens(setup, place, record))
      terminal.note(`Warning: ${visible(message)}; ${visible(advice)}`)
    if (values.json) {
      const { agent, agentVersion: version, mode, token, files } = record
      terminal.print(safeJson({ agent, version, mode, token, files: files.map(({ path }) => path) }, 2))
    } else sayConnected(wanted, context)
    return EXIT.done
  },
})

async function findChecked(
  setup: AgentSetup,
  place: AgentPlace,
  mode: GateMode,
  named: string | undefined,
  { terminal }: Context,
): Promise<InstalledAgent> {
  const { title, programs, modes } = setup
  const oldest = modes[mode]
  if (oldest === undefined) throw usageError(`${title} can't be connected with --my-rules-first`)
  const found = await findAgent(setup, place, named)
  if (found === undefined) {
    const aside = findLeftAside(setup, place.environment)
    throw new CommandFailure(
      'not_found',
      aside === undefined
        ? `${title} wasn't found: there is no \`${programs[0]}\` in PATH. Install it, or name its program with --program`
        : `${title} was found only at ${visible(aside)}, which is left aside because packages of a project put programs there. If it is the one you use, name it: --program ${visible(aside)}`,
    )
  }
  const { program, version } = found
  if (version === '')
    throw new CommandFailure(
      'not_found',
      `${visible(program)} doesn't say which version it is, so it may be another program. Name the program of ${title} with --program`,
    )
  if (!isAtLeast(version, oldest)) {
    const forWhat = oldest === modes.everything ? '' : ' for --my-rules-first'
    throw new CommandFailure(
      'unsupported',
      `${title} is ${visible(version)} (${visible(program)}), and its hooks can't be relied on${forWhat} before ${oldest}. Update it, then run this again`,
    )
  }
  terminal.note(`${title} ${visible(version)} (${visible(program)})`)
  return found
}

function wantedConnection(
  setup: AgentSetup,
  mode: GateMode,
  found: InstalledAgent,
  values: ConnectionValues & { script: boolean },
  context: Context,
): WantedConnection {
  const { environment, terminal } = context
  const folder = dataFolderOf(values, context)
  const running = isRemote(values, context) ? undefined : findRunningServer(folder)
  const url = running?.url ?? values.url ?? environment.BANKSMAN_URL ?? ''
  const server =
    running?.socket === undefined
      ? ({ kind: 'url', url } as const)
      : ({ kind: 'socket', path: running.socket } as const)
  const isOwn = running !== undefined && statSync(folder.path).uid === process.getuid?.()
  const canSend = !values.script && isOwn && setup.sendsEvents?.(found.version) === true
  const place = placeOf(context)
  const around = canSend ? setup.goesAround?.(place, url, readOthers) : undefined
  const sends = canSend && around === undefined
  if (around !== undefined)
    terminal.note(`It runs a script that asks over the Unix socket: ${visible(around)}.`)
  const belief = beliefOf({ server, url: sends ? url : undefined })
  if (belief !== undefined) {
    const said = `${visible(belief.message)}; ${visible(belief.advice)}.`
    terminal.note(belief.kind === 'plain' ? `Warning: ${said}` : said.replace(/^i/, 'I'))
  }
  const curl = findProgram('curl', environment)
  return {
    setup,
    place,
    found,
    mode,
    server,
    sender:
      curl === undefined
        ? { kind: 'node', command: [process.execPath, process.argv[1] ?? ''] }
        : { kind: 'curl', program: curl },
    ...defined({ url: sends ? url : undefined, data: running === undefined ? undefined : folder.path }),
  }
}

function hookTokens(client: Client, { name, title }: AgentSetup): HookTokens {
  return {
    async create(scope) {
      const subject = `${name}@${hostname()}`
      const { token, secret } = await client.tokens.create({
        role: 'agent',
        subject,
        scope,
        label: `${title} on ${hostname()}`,
      })
      return { id: token.id, secret }
    },
    revoke: (id) => client.tokens.revoke(id),
    async lastSession(id) {
      const { items } = await client.tokens.list()
      return items.find((token) => token.id === id)?.lastHook?.session
    },
  }
}

function sayConnected({ setup, mode }: WantedConnection, { terminal }: Context): void {
  const { title, name } = setup
  const what =
    mode === 'everything'
      ? 'The policy of this server now checks every call that it makes.'
      : 'Whatever its own rules would ask you about is now asked through Banksman.'
  terminal.print(
    [
      `${title} is connected, and a test event arrived. ${what}`,
      'Sessions that are open already have to be started again.',
      '',
      'What Banksman does not see:',
      ...limitsOf(setup, mode).map((limit) => `  - ${rendered(limit)}`),
      '',
      `Undo it with: banksman disconnect ${name}`,
    ].join('\n'),
  )
}
