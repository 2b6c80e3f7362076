/** `banksman connect <client> --mcp`: the proxy in front of the MCP servers of a client. */
import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Client } from '../../client/index.ts'
import type { McpClient } from '../../coding-agents/mcp-clients/mcp-client.ts'
import { mcpScope } from '../../core/support/mcp-names.ts'
import { connectMcp, type ProxyTokens } from '../../server/connect/mcp/connect-mcp.ts'
import { mcpTokenFile, readMcpRecord } from '../../server/connect/mcp/mcp-record.ts'
import { filesOf, type PlannedMcp, planMcp, type WantedMcp } from '../../server/connect/mcp/plan-mcp.ts'
import { type ProbedServer, probeMcp } from '../../server/connect/mcp/probe-mcp.ts'
import type { Context } from '../command-line/command.ts'
import { type ConnectionValues, connect, dataFolderOf, isRemote } from '../connection/connect.ts'
import { CommandFailure, EXIT, type ExitCode, usageError } from '../output/failures.ts'
import { rendered, safeJson, visible } from '../output/safe-text.ts'
import { clientNamed, mcpPlaceOf } from './named-client.ts'
import { agree, showPlanned } from './show-planned.ts'

export interface McpValues extends ConnectionValues {
  readonly project: string | undefined
  readonly 'dry-run': boolean
  readonly yes: boolean
  readonly json: boolean
}

export async function connectMcpServers(
  named: string,
  servers: readonly string[],
  values: McpValues,
  context: Context,
): Promise<ExitCode> {
  const { terminal, environment } = context
  const client = clientNamed(named)
  const isDry = values['dry-run']
  if (!isDry && !terminal.isInteractive && !values.yes)
    throw usageError('this needs a terminal to confirm at; pass --yes to write without confirmation')
  const wanted = wantedMcp(client, servers, values, context)
  const program = wanted.wrapper.command[1] ?? ''
  if (/[\\/]_npx[\\/]/.test(program))
    terminal.note(
      `The client will start ${visible(program)}, which npx may throw away. Install Banksman to stay: npm install -g banksman`,
    )
  const plan = planMcp(wanted, readMcpRecord(environment))
  checkFound(wanted, plan)
  showPlan(plan, context)
  const tell = (probed: readonly ProbedServer[]) => {
    if (values.json) terminal.print(safeJson(asJson(client, plan, probed, isDry), 2))
  }
  // Whoever names a server wants that one.
  const refused = plan.leftAlone.filter(({ key }) => servers.includes(key))
  if (refused.length > 0) {
    tell([])
    throw new CommandFailure(
      'unsupported',
      `${refused.map(({ key, because }) => `${visible(key)} can't be put behind Banksman: ${visible(because)}`).join('. ')}. Nothing was written`,
    )
  }
  if (isDry || plan.changes.length === 0) {
    tell([])
    if (!values.json)
      terminal.print(isDry ? 'Nothing was written.' : `${client.title}: nothing is to be done.`)
    return EXIT.done
  }
  const server = await connect(values, context)
  if (!values.yes) await agree('Write this? [Y/n] ', 'nothing was written', context)
  terminal.note('\nEach server is started once, to see that it answers through the proxy …')
  const probed = await connectMcp(wanted, plan, {
    tokens: proxyTokens(server),
    probe: (change) => probeMcp(change, wanted.place),
    keep: (failed) => keepAll(failed, values, context),
  })
  tell(probed)
  if (!values.json) sayWrapped(client, probed, context)
  return EXIT.done
}

function wantedMcp(
  client: McpClient,
  servers: readonly string[],
  values: McpValues,
  context: Context,
): WantedMcp {
  const { environment } = context
  const url = values.url ?? environment.BANKSMAN_URL ?? ''
  return {
    client,
    servers,
    place: mcpPlaceOf(values.project, context),
    wrapper: {
      command: [process.execPath, realpathSync(process.argv[1] ?? '')],
      server: isRemote(values, context) ? { url } : { data: dataFolderOf(values, context).path },
      tokenFile: (name) => mcpTokenFile(environment, name),
    },
  }
}

function checkFound({ client, place, servers }: WantedMcp, plan: PlannedMcp): void {
  const found = [...plan.changes, ...plan.already, ...plan.leftAlone]
  const missing = servers.find((key) => !found.some((one) => one.key === key))
  if (missing === undefined && found.length > 0) return
  const files = filesOf(client, place).map(({ path }) => visible(path))
  const what = missing === undefined ? 'MCP servers' : `MCP server ${visible(JSON.stringify(missing))}`
  throw new CommandFailure(
    'not_found',
    `there ${missing === undefined ? 'are' : 'is'} no ${what} in the files of ${client.title}: ${files.join(', ')}`,
  )
}

function showPlan({ files, changes, already, leftAlone, ambiguous }: PlannedMcp, context: Context): void {
  const { terminal } = context
  showPlanned(files, context)
  for (const { key, name } of changes)
    if (key !== name)
      terminal.note(
        `\n${visible(key)} is called ${name} in policies and in the inbox: its key has other characters.`,
      )
  for (const { name, files: apart } of ambiguous) {
    const where = apart.map((file) => visible(file)).join(' and ')
    terminal.note(
      `\nWarning: ${name} stands for different programs in ${where}, so every call to them will need approval: rules and grants are for one program. Give one of them another key in its file, such as ${name}-2.`,
    )
  }
  for (const file of new Set(
    changes.filter(({ server }) => server.scope === 'project').map((change) => change.file),
  ))
    terminal.note(
      `\n${visible(file)} is a file of the project: it will contain paths of this machine, which don't work on the machines of others.`,
    )
  for (const { file, key } of already)
    terminal.note(`\n${visible(key)} (${visible(file)}) is behind Banksman already.`)
  for (const { file, key, because } of leftAlone)
    terminal.note(`\n${visible(key)} (${visible(file)}) is left alone: ${visible(because)}.`)
}

function proxyTokens(client: Client): ProxyTokens {
  return {
    async create(name) {
      const subject = `${name}@${hostname()}`
      const label = `MCP server ${name} on ${hostname()}`
      const { token, secret } = await client.tokens.create({
        role: 'agent',
        subject,
        scope: mcpScope(name),
        label,
      })
      return { id: token.id, secret }
    },
    async isValid(id) {
      const { items } = await client.tokens.list()
      return items.some((token) => token.id === id && token.revokedAt === undefined)
    },
    revoke: (id) => client.tokens.revoke(id),
  }
}

async function keepAll(
  failed: readonly ProbedServer[],
  { yes }: McpValues,
  { terminal }: Context,
): Promise<boolean> {
  for (const { key, failure } of failed)
    terminal.note(`${visible(key)} doesn't answer through the proxy: ${visible(failure ?? '')}`)
  if (yes) return false
  const answer = await terminal.ask('\nTake everything back? [Y/n] ')
  return answer !== undefined && /^no?$/i.test(answer)
}

const SHOWN_TOOLS = 12

function sayWrapped(
  { name: client, title, restart }: McpClient,
  probed: readonly ProbedServer[],
  { terminal }: Context,
): void {
  const lines = probed.map(({ key, name, tools, skipped, failure }) => {
    const more = (tools?.length ?? 0) > SHOWN_TOOLS ? ', …' : ''
    const shown = tools
      ?.slice(0, SHOWN_TOOLS)
      .map((tool) => rendered(tool))
      .join(', ')
    const what =
      tools === undefined
        ? failure === undefined
          ? `not tried, since ${skipped}`
          : `doesn't answer: ${rendered(failure)}`
        : `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}${shown ? `: ${shown}${more}` : ''}`
    const inPolicies = key === name ? '' : ` (in policies mcp__${name}__…)`
    return `  - ${rendered(key)}${inPolicies}: ${what}`
  })
  terminal.print(
    [
      `The policy of this server now checks every tool call of ${title} to:`,
      ...lines,
      '',
      restart,
      "The servers' own credentials are still in the client's file: whoever can read it can go around Banksman.",
      '',
      `Undo it with: banksman disconnect ${client} --mcp`,
    ].join('\n'),
  )
}

function asJson(client: McpClient, plan: PlannedMcp, probed: readonly ProbedServer[], isDry: boolean) {
  return {
    client: client.name,
    written: !isDry && probed.length > 0,
    servers: plan.changes.map(({ file, key, name, now, after }) => {
      const { tools, skipped, failure } = probed.find((one) => one.file === file && one.key === key) ?? {}
      return { file, key, name, before: now, after, tools, skipped, failure }
    }),
    already: plan.already,
    leftAlone: plan.leftAlone,
  }
}
