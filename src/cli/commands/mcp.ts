/** `banksman mcp`: in front of an MCP server. Standard output belongs to the protocol; everything else goes to standard error. */

import { isMcpServerName, MCP_NAME_RULE } from '../../core/support/mcp-names.ts'
import { parseDuration } from '../../core/time/duration.ts'
import { splitLines } from '../../mcp/lines/split-lines.ts'
import { runProxy } from '../../mcp/proxy.ts'
import { createExchange } from '../../mcp/server-link/exchange.ts'
import { createServerLink } from '../../mcp/server-link/server-link.ts'
import { openAddress } from '../../mcp/upstream/open-address.ts'
import { createSender } from '../../mcp/upstream/sender.ts'
import { startProcess } from '../../mcp/upstream/start-process.ts'
import type { Upstream } from '../../mcp/upstream/upstream.ts'
import { type Context, defineCommand } from '../command-line/command.ts'
import { DATA_OPTION } from '../connection/connect.ts'
import { mcpToken } from '../mcp/mcp-token.ts'
import { serverPlace } from '../mcp/server-place.ts'
import { usageError } from '../output/failures.ts'
import { visible } from '../output/safe-text.ts'

const MEGABYTE = 1024 * 1024
/** A call or an answer with a large file in it, twice. */
const MAX_LINE_MEGABYTES = 64
/** A line is one text here, and no text can be much longer than half a gigabyte. */
const MOST_LINE_MEGABYTES = 256

/** Of a wait: a server needs some of it to answer at all. */
const LEAST_MS = 100

const FLUSH_MS = 5_000

export const mcp = defineCommand({
  about: `Puts Banksman in front of an MCP server: write it before the server's command in the configuration of your MCP client. Every call of
a tool is then checked by the policy of your Banksman server, and waits for approval where it needs one. Everything else passes unchanged.

In a policy the tools are called mcp__<name>__<tool>. While no Banksman server answers, tools are still listed, but every call is refused.`,
  positionals: [{ name: 'command', required: false, rest: true }],
  options: {
    name: {
      kind: 'text',
      value: 'NAME',
      about:
        "the MCP server's name in policies and requests, best as in the client's configuration (default: from its command)",
    },
    url: {
      kind: 'text',
      value: 'URL',
      about: 'an MCP server at an address (Streamable HTTP), in place of a command',
    },
    header: {
      kind: 'text',
      value: "'NAME: VALUE'",
      repeats: true,
      about: `a header for --url, such as a credential; \${VARIABLE} in it is taken from the environment, where others can't see it`,
    },
    hold: {
      kind: 'text',
      value: 'TIME',
      about:
        'how long a call waits for approval before the model is told to repeat it (default: as long as the client waits)',
    },
    'ask-in-client': {
      kind: 'flag',
      about:
        'also tell the person who uses the client that a call needs approval, with a link or a form; they can reject there, never approve',
    },
    'max-line': {
      kind: 'text',
      value: 'MB',
      about: `the longest message that passes, in megabytes (default: ${MAX_LINE_MEGABYTES}, at most ${MOST_LINE_MEGABYTES})`,
    },
    server: {
      kind: 'text',
      value: 'URL',
      about: 'the Banksman server (default: BANKSMAN_URL, or the one that runs on the data folder)',
    },
    'token-file': {
      kind: 'text',
      value: 'FILE',
      about:
        'a file with the token for this MCP server (default: BANKSMAN_TOKEN; for the owner of the data folder one is created)',
    },
    ...DATA_OPTION,
  },
  examples: [
    {
      line: 'banksman mcp --name files -- npx -y @modelcontextprotocol/server-filesystem ~/notes',
      about: "stands where the server's own command was",
    },
  ],
  async run({ values, positionals: command }, context) {
    checkUpstream(command, values)
    const name = nameOf(values.name, command, values.url)
    const note = (text: string) => context.terminal.note(`banksman mcp: ${visible(text)}`)
    const holdMs = values.hold === undefined ? undefined : durationOf(values.hold)
    const maxLineBytes = lineLimit(values['max-line'])
    const upstream = openUpstream(command, { ...values, maxLineBytes }, context, note)
    const exchange = createExchange({
      place: () => serverPlace(values, context),
      token: mcpToken(name, values, context),
    })
    const link = createServerLink({
      name,
      exchange,
      program: values.url === undefined ? command : [values.url],
      note,
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => upstream.signal(signal))
    const code = await runProxy({
      name,
      link,
      upstream,
      client: {
        lines: splitLines(process.stdin, maxLineBytes),
        send: createSender(process.stdout, 'the client no longer reads'),
      },
      note,
      holdMs,
      askInClient: values['ask-in-client'] ? { visible } : undefined,
      maxLineBytes,
    })
    await written(process.stdout)
    // A client may keep our input open for ever; nobody reads it any longer.
    process.exit(code)
  },
})

/** What was written last may still be on its way. A client that doesn't read it is not waited for without end. */
function written(output: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, FLUSH_MS)
    output.write('', () => resolve())
  })
}

/** Before anything is made of them, such as a name. */
function checkUpstream(
  command: readonly string[],
  { url, header }: { url: string | undefined; header: string | undefined },
): void {
  if (url === undefined && command.length === 0)
    throw usageError(
      'the command of the MCP server is missing; write it after --, or name its address with --url',
    )
  if (url === undefined && header !== undefined)
    throw usageError('--header is for a server at an address, with --url')
  if (url === undefined) return
  if (command.length > 0) throw usageError('there is a command and an address; the MCP server is one of them')
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw usageError(
      `${visible(JSON.stringify(url))} isn't the address of an MCP server; write it like https://example.com/mcp`,
    )
}

function openUpstream(
  command: readonly string[],
  {
    url,
    header,
    maxLineBytes,
  }: { url: string | undefined; header: string | undefined; maxLineBytes: number },
  { environment }: Context,
  note: (text: string) => void,
): Upstream {
  if (url === undefined) return startProcess({ command, environment, maxLineBytes })
  return openAddress({
    url: new URL(url),
    headers: headersOf(header, environment),
    maxLineBytes,
    note,
  })
}

function headersOf(lines: string | undefined, environment: Context['environment']): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines?.split('\n') ?? []) {
    const [, name = '', written = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*)$/.exec(line) ?? []
    if (name === '')
      throw usageError(`--header must be a name and a value, as in 'Authorization: Bearer \${TOKEN}'`)
    headers[name.toLowerCase()] = written.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
      const value = environment[variable]
      if (value === undefined)
        throw usageError(`--header needs the environment variable ${variable}, which is not set`)
      return value
    })
  }
  return headers
}

function nameOf(given: string | undefined, command: readonly string[], url: string | undefined): string {
  if (given !== undefined) {
    if (isMcpServerName(given)) return given
    throw usageError(
      `--name ${visible(JSON.stringify(given))} is not a name for an MCP server: ${MCP_NAME_RULE}`,
    )
  }
  const source = url === undefined ? lastProgram(command) : new URL(url).hostname
  // `…/server-files/dist/index.js` says what it is in its folder.
  const words = source.split(/[/\\]/).map((word) => word.replace(/\.[cm]?[jt]s$|\.py$/, ''))
  const telling = words.findLast(
    (word) => word !== '' && !/^(?:index|main|server|cli|dist|build|src|bin)$/.test(word),
  )
  const made = (telling ?? '')
    .replace(/(.)@.*$/, '$1')
    .replace(/[^A-Za-z0-9.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 64)
  if (isMcpServerName(made)) return made
  throw usageError('this MCP server needs a name: give it with --name NAME')
}

/** `npx -y @scope/server-files` is known by the last of these. */
function lastProgram(command: readonly string[]): string {
  const launchers = /^(?:npx|bunx|uvx|pnpx|node|python3?|deno|bun|uv|pnpm|yarn|env|run|dlx|exec)$/
  return command.find((word) => !word.startsWith('-') && !launchers.test(word.replace(/^.*[/\\]/, ''))) ?? ''
}

function lineLimit(given: string | undefined): number {
  const megabytes = given === undefined ? MAX_LINE_MEGABYTES : /^\d+$/.test(given) ? Number(given) : 0
  if (megabytes >= 1 && megabytes <= MOST_LINE_MEGABYTES) return megabytes * MEGABYTE
  throw usageError(`--max-line must be a number of megabytes from 1 to ${MOST_LINE_MEGABYTES}`)
}

function durationOf(text: string): number {
  const ms = parseDuration(text)
  if (ms < LEAST_MS) throw usageError(`--hold must be a time of at least ${LEAST_MS}ms, as in 50s or 10m`)
  return ms
}
