/** The words that put the proxy in front of a server's own, and how they are found in an entry again. */
import { isMcpServerName } from '../../core/support/mcp-names.ts'

export interface McpWrapper {
  /** Node and our program; absolute, since clients that were started from a dock have a short PATH. */
  command: readonly string[]
  /** The data folder of the server on this machine, or the address of one elsewhere. */
  server: { data: string } | { url: string }
  /** The file with the token that is good for this server's name only. */
  tokenFile(name: string): string
}

export interface RemoteServer {
  url: string
  /** Without secrets: `Authorization: ${VARIABLE}`. */
  headers: readonly string[]
}

/** What an entry that is wrapped says. */
export interface FoundWrapper {
  name: string
  /** The words of ours, the `--` too. */
  own: readonly string[]
  /** How the server itself is started; empty for a remote one. */
  rest: readonly string[]
  tokenFile: string | undefined
  url: string | undefined
}

export function wrapperWords({ command, server, tokenFile }: McpWrapper, name: string): string[] {
  const place = 'data' in server ? ['--data', server.data] : ['--server', server.url]
  return [...command, 'mcp', '--name', name, ...place, '--token-file', tokenFile(name)]
}

export function remoteWords({ url, headers }: RemoteServer): string[] {
  return ['--url', url, ...headers.flatMap((header) => ['--header', header])]
}

const PROGRAM = /(?:^|[\\/])banksman(?:\.js|\.cmd)?$/

/** Undefined: the words are not those of the proxy. */
export function findWrapper(words: readonly string[]): FoundWrapper | undefined {
  const at = words.findIndex((word, index) => word === 'mcp' && PROGRAM.test(words[index - 1] ?? ''))
  const end = words.indexOf('--', at)
  const own = end === -1 ? words : words.slice(0, end + 1)
  if (at === -1 || at > 2) return undefined
  const option = (name: string): string | undefined => {
    const found = own.findIndex((word, index) => index > at && (word === name || word.startsWith(`${name}=`)))
    if (found === -1) return undefined
    return own[found] === name ? own[found + 1] : own[found]!.slice(name.length + 1)
  }
  return {
    name: option('--name') ?? '',
    own,
    rest: end === -1 ? [] : words.slice(end + 1),
    tokenFile: option('--token-file'),
    url: option('--url'),
  }
}

/** A name for policies and the record, from the key in the client's file. Undefined: none can be made. */
export function nameFromKey(key: string): string | undefined {
  if (isMcpServerName(key)) return key
  const made = key
    .replace(/[^A-Za-z0-9_.-]/g, '-')
    .replace(/_{2,}/g, '_')
    .slice(0, 64)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
  return isMcpServerName(made) ? made : undefined
}
