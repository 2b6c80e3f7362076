/** Where the Banksman server is, for a program that runs for long: looked up whenever it is needed. */
import { basename, dirname } from 'node:path'
import { ClientError } from '../../client/transport/client-error.ts'
import type { LinkPlace } from '../../mcp/server-link/exchange.ts'
import { findRunningServer } from '../../server/installation/find-running-server.ts'
import type { Context } from '../command-line/command.ts'
import { dataFolderOf } from '../connection/connect.ts'
import { usageError } from '../output/failures.ts'
import { visible } from '../output/safe-text.ts'

export interface PlaceValues {
  server: string | undefined
  data: string | undefined
}

/** Over the socket of the data folder's own server: once a server is gone, anybody could listen on its port. */
export function serverPlace({ server, data }: PlaceValues, context: Context): LinkPlace {
  const named = server ?? (data === undefined ? context.environment.BANKSMAN_URL || undefined : undefined)
  if (named !== undefined) return placeAt(named)
  const folder = dataFolderOf({ data }, context)
  const running = findRunningServer(folder)
  if (running?.socket !== undefined) return { name: folder.path, socketPath: running.socket }
  if (running !== undefined) return placeAt(running.url)
  throw new ClientError({
    code: 'unreachable',
    detail: `no Banksman server is running on ${folder.path}. The user has to start it: ${startCommand(folder.path)}`,
  })
}

/** Where the data folder is the usual one, the configuration is beside it. */
function startCommand(path: string): string {
  return basename(path) === '.banksman'
    ? `run \`banksman start\` in ${dirname(path)}`
    : `run \`banksman start --data ${path}\``
}

function placeAt(url: string): LinkPlace {
  const { protocol, hostname, port, origin, pathname } = URL.canParse(url) ? new URL(url) : EMPTY
  if (protocol !== 'http:' && protocol !== 'https:')
    throw usageError(
      `${visible(JSON.stringify(url))} isn't the address of a server; write it like http://127.0.0.1:4790`,
    )
  return {
    name: origin,
    protocol,
    hostname: hostname.replace(/[[\]]/g, ''),
    port,
    base: pathname.replace(/\/+$/, ''),
  }
}

const EMPTY = { protocol: '', hostname: '', port: '', origin: '', pathname: '' }
