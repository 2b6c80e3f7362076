/**
 * The token of the proxy in front of one MCP server, good for that server's calls and nothing else. Whoever owns the data folder needs to be given
 * none: one is made at the first call, and kept in the data folder, which no call can read.
 */
import { hostname } from 'node:os'
import { join } from 'node:path'
import { mcpScope } from '../../core/support/mcp-names.ts'
import { readIfThere } from '../../server/host/read-file.ts'
import { putFile } from '../../server/host/replace-file.ts'
import type { Context } from '../command-line/command.ts'
import { dataFolderOf, tokenOf } from '../connection/connect.ts'

export interface TokenValues {
  server: string | undefined
  data: string | undefined
  'token-file': string | undefined
}

export function mcpToken(name: string, values: TokenValues, context: Context): () => Promise<string> {
  const { data, server } = values
  let known: Promise<string> | undefined

  async function find(): Promise<string> {
    const given = tokenOf({ url: undefined, data, 'token-file': values['token-file'] }, context)
    if (given !== undefined) return given
    const folder = dataFolderOf({ data }, context)
    const file = join(folder.path, 'mcp', `${name}.token`)
    const kept = readIfThere(file)?.trim()
    if (kept) return kept
    // Late: most of the time there is a token.
    const { connect } = await import('../connection/connect.ts')
    const client = await connect({ url: server, data, 'token-file': undefined }, context)
    const { secret } = await client.tokens.create({
      role: 'agent',
      subject: `${name}@${hostname()}`,
      scope: mcpScope(name),
      label: `MCP server ${name} on ${hostname()}`,
    })
    putFile(file, `${secret}\n`)
    return secret
  }

  return () => {
    known ??= find().catch((error) => {
      known = undefined
      throw error
    })
    return known
  }
}
