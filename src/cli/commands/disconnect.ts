/** `banksman disconnect` */
import type { AgentSetup } from '../../coding-agents/setup/agent-setup.ts'
import { type ConnectionRecord, readConnection } from '../../server/connect/connection-record.ts'
import { disconnectAgent, planDisconnection } from '../../server/connect/disconnect-agent.ts'
import { type Context, defineCommand } from '../command-line/command.ts'
import { disconnectMcpServers } from '../connect/disconnect-mcp.ts'
import { placeOf, setupNamed } from '../connect/named-agent.ts'
import { checkWithoutMcp, MCP_OPTIONS } from '../connect/named-client.ts'
import { agree, showPlanned } from '../connect/show-planned.ts'
import { CONNECTION_OPTIONS, type ConnectionValues, connect } from '../connection/connect.ts'
import { CommandFailure, EXIT, usageError } from '../output/failures.ts'
import { visible } from '../output/safe-text.ts'

export const disconnect = defineCommand({
  about: `Takes Banksman away from a coding agent: removes its entries from the agent's files, its script and its token. A file that nobody
else has changed since is then as it was before, to the byte. From a file that was changed, only the entries of Banksman are removed.

With --mcp it takes the proxy away from MCP servers of a client instead, in all folders that they were connected in. Name servers to disconnect only those.

From then on nothing that the agent does is checked by Banksman.`,
  positionals: [
    { name: 'agent', required: true },
    { name: 'server', required: false, several: true },
  ],
  options: {
    ...MCP_OPTIONS,
    yes: { kind: 'flag', about: 'write without asking' },
    json: { kind: 'flag', about: 'with --mcp: print JSON, for programs' },
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman disconnect claude-code', about: 'Claude Code is on its own again' },
    { line: 'banksman disconnect cursor --mcp', about: 'the MCP servers of Cursor are as before' },
  ],
  async run({ values, positionals: [named = '', ...servers] }, context) {
    if (values.mcp) return disconnectMcpServers(named, servers, values, context)
    checkWithoutMcp(servers, values)
    const { terminal, environment } = context
    const setup = setupNamed(named, 'disconnect')
    const record = readConnection(environment, setup.name)
    if (record === undefined)
      throw new CommandFailure('not_connected', `${setup.name} isn't connected: there is nothing to undo`)
    if (!terminal.isInteractive && !values.yes)
      throw usageError('this needs a terminal to confirm at; pass --yes to write without confirmation')
    const place = placeOf(context)
    const planned = planDisconnection(setup, place, record)
    showPlanned(planned, context)
    for (const { path, isChanged } of planned)
      if (isChanged)
        terminal.note(
          `The entries of Banksman in ${visible(path)} were changed after it wrote them; they go as they are.`,
        )
    if (!values.yes) await agree('Write this? [Y/n] ', `${setup.title} is still connected`, context)
    disconnectAgent(setup, place, record, planned)
    await revoke(setup, record, values, context)
    terminal.print(
      `${setup.title} is disconnected: nothing checks its calls any longer. Sessions that are open keep the hooks they started with until they end, and their calls are refused.`,
    )
    return EXIT.done
  },
})

/** A server that can't be reached doesn't keep the hooks where they are. */
async function revoke(
  { title }: AgentSetup,
  { token, data }: ConnectionRecord,
  values: ConnectionValues,
  context: Context,
): Promise<void> {
  try {
    const client = await connect({ ...(data === undefined ? {} : { data }), ...values }, context)
    await client.tokens.revoke(token)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    context.terminal.note(
      `The token of ${title} is still valid, because the server couldn't be asked: ${visible(why)}. Once it runs: banksman tokens revoke ${visible(token)}`,
    )
  }
}
