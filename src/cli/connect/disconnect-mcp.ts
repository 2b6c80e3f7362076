/** `banksman disconnect <client> --mcp`: the MCP servers of a client without the proxy. */
import { disconnectMcp, planUnwrapping } from '../../server/connect/mcp/disconnect-mcp.ts'
import { type McpToken, readMcpRecord } from '../../server/connect/mcp/mcp-record.ts'
import type { Context } from '../command-line/command.ts'
import { type ConnectionValues, connect } from '../connection/connect.ts'
import { CommandFailure, EXIT, type ExitCode, usageError } from '../output/failures.ts'
import { safeJson, visible } from '../output/safe-text.ts'
import type { McpValues } from './connect-mcp.ts'
import { clientNamed, mcpPlaceOf } from './named-client.ts'
import { agree, showPlanned } from './show-planned.ts'

export async function disconnectMcpServers(
  named: string,
  servers: readonly string[],
  values: McpValues,
  context: Context,
): Promise<ExitCode> {
  const { terminal, environment } = context
  const client = clientNamed(named)
  const isDry = values['dry-run']
  const record = readMcpRecord(environment)
  const place = mcpPlaceOf(values.project, context)
  const plan = () => planUnwrapping(client, place, servers, record)
  const planned = plan()
  const { unwrapped, leftAlone, unused } = planned
  const known = record.entries.filter((entry) => entry.client === client.name)
  const isOurs = (key: string) => [...unwrapped, ...leftAlone, ...known].some((one) => one.key === key)
  const missing = servers.find((key) => !isOurs(key))
  if (missing !== undefined || unwrapped.length + leftAlone.length + known.length === 0)
    throw new CommandFailure(
      'not_connected',
      missing === undefined
        ? `no MCP server of ${client.title} is behind Banksman`
        : `${visible(JSON.stringify(missing))} of ${client.title} isn't behind Banksman`,
    )
  if (!isDry && !terminal.isInteractive && !values.yes)
    throw usageError('this needs a terminal to confirm at; pass --yes to write without confirmation')
  showPlanned(planned.files, context)
  for (const { file, key, because } of leftAlone)
    terminal.note(`\n${visible(key)} (${visible(file)}) is left as it is: ${visible(because)}.`)
  if (!isDry) {
    if (!values.yes) await agree('Write this? [Y/n] ', 'nothing was written', context)
    disconnectMcp(planned, plan, environment)
    for (const token of unused) await revoke(token, values, context)
  }
  if (values.json) terminal.print(safeJson({ client: client.name, written: !isDry, unwrapped, leftAlone }, 2))
  else
    terminal.print(
      isDry
        ? 'Nothing was written.'
        : `${unwrapped.length} MCP ${unwrapped.length === 1 ? 'server' : 'servers'} of ${client.title} ${unwrapped.length === 1 ? 'is' : 'are'} as before: nothing checks the calls any longer. What is running keeps the proxy until it is started again, and its calls are refused.`,
    )
  return leftAlone.length > 0 ? EXIT.failed : EXIT.done
}

/** A server that can't be reached doesn't keep the proxy where it is. */
async function revoke(
  { name, id, server }: McpToken,
  values: ConnectionValues,
  context: Context,
): Promise<void> {
  try {
    const client = await connect({ ...values, ...server, ...given(values) }, context)
    await client.tokens.revoke(id)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    context.terminal.note(
      `The token of ${name} is still valid, because the server couldn't be asked: ${visible(why)}. Once it runs: banksman tokens revoke ${visible(id)}`,
    )
  }
}

/** What was named in the command counts more than what is on record. */
function given({ url, data }: ConnectionValues): Partial<ConnectionValues> {
  return { ...(url === undefined ? {} : { url }), ...(data === undefined ? {} : { data }) }
}
