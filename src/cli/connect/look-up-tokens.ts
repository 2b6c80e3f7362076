/** What servers say of the tokens that agents and proxies were given. Each server is asked once, and one that can't be asked says nothing. */
import type { KnownToken, LookUpToken, TokenServer } from '../../server/connect/inspect-connection.ts'
import type { IsTokenKnown } from '../../server/connect/mcp/inspect-mcp.ts'
import { readMcpRecord } from '../../server/connect/mcp/mcp-record.ts'
import type { Context } from '../command-line/command.ts'
import { type ConnectionValues, connect } from '../connection/connect.ts'

export function createTokenLookUp(values: ConnectionValues, context: Context): LookUpToken {
  const asked = new Map<string, Promise<Map<string, KnownToken> | undefined>>()
  return async (id, server) => {
    const key = JSON.stringify(server)
    const asking = asked.get(key) ?? tokensAt(server, values, context).catch(() => undefined)
    asked.set(key, asking)
    const tokens = await asking
    return tokens === undefined ? undefined : (tokens.get(id) ?? { isKnown: false })
  }
}

/** The same of the proxies in front of MCP servers, all at once. */
export async function lookUpMcpTokens(lookUp: LookUpToken, { environment }: Context): Promise<IsTokenKnown> {
  const known = new Map<string, boolean | undefined>()
  for (const { id, server } of readMcpRecord(environment).tokens)
    known.set(id, (await lookUp(id, server))?.isKnown)
  return (id) => known.get(id)
}

/** By its data folder, where it has one here: whatever else the environment names is another server. */
async function tokensAt(
  server: TokenServer,
  values: ConnectionValues,
  context: Context,
): Promise<Map<string, KnownToken>> {
  const { BANKSMAN_URL: _, BANKSMAN_TOKEN: __, ...environment } = context.environment
  const client =
    'data' in server
      ? await connect(
          { data: server.data, url: undefined, 'token-file': undefined },
          { ...context, environment },
        )
      : await connect({ ...values, url: server.url }, context)
  const { items } = await client.tokens.list()
  return new Map(
    items.map(({ id, revokedAt, lastHook }) => [
      id,
      revokedAt !== undefined
        ? { isKnown: false }
        : { isKnown: true, ...(lastHook === undefined ? {} : { lastEvent: lastHook.at }) },
    ]),
  )
}
