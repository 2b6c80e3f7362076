/**
 * `banksman hook`: what a coding agent runs as its hook; a script with curl does the same faster. It sends the event to the
 * server and prints the answer. Coding agents make the call when a hook fails in a way that they don't know, so whatever is not plainly an answer ends with exit
 * code 2 and a reason on standard error.
 */

import { isUtf8 } from 'node:buffer'
import { request as requestPlainly } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { parseJson } from '../../core/json/parse-json.ts'
import { findRunningServer } from '../../server/installation/find-running-server.ts'
import { type Context, defineCommand } from '../command-line/command.ts'
import { CONNECTION_OPTIONS, type ConnectionValues, dataFolderOf, tokenOf } from '../connection/connect.ts'
import { CommandFailure, EXIT, withoutSecrets } from '../output/failures.ts'
import { rendered, visible } from '../output/safe-text.ts'

/** Less than the 600 seconds that agents give a hook, and more than the server takes. */
const ANSWER_WITHIN_MS = 595_000
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const HOST = 'banksman'

export const hook = defineCommand({
  about: `Answers the hook of a coding agent: reads its event from standard input, asks the server, and prints the answer in the agent's own
form. The agents are claude-code, codex and opencode.

It ends with exit code 2 and a reason on standard error whenever there is no answer: then the agent must not make the call. It needs
a token, best one that is good for this hook only: \`banksman tokens create --role agent --scope hooks:codex …\`. Without --url it uses the
socket of the server that runs on the data folder.`,
  positionals: [{ name: 'agent', required: true }],
  options: {
    socket: {
      kind: 'text',
      value: 'FILE',
      about: 'the Unix socket of the server (default: of the one on the data folder)',
    },
    hold: {
      kind: 'text',
      value: 'TIME',
      about: 'how long to wait for a decision, such as 50s (default: 590s)',
    },
    within: {
      kind: 'text',
      value: 'TIME',
      about: 'how long the server may take to answer, such as 5s (default: 595s)',
    },
    ...CONNECTION_OPTIONS,
  },
  examples: [
    {
      line: 'banksman hook codex --token-file codex-token < event.json',
      about: 'what the server would answer to an event',
    },
  ],
  async run({ values, positionals: [agent = ''] }, context) {
    try {
      const event = await readAll(process.stdin)
      const { socket, hold, within, ...connection } = values
      const query = hold === undefined ? '' : `?hold=${encodeURIComponent(hold)}`
      const place = placeOf(socket, connection, context)
      const token = tokenOf(connection, context)
      if (token === undefined)
        throw new Error('it needs a token: give one with --token-file FILE, or as BANKSMAN_TOKEN')
      const path = `/v1/hooks/${encodeURIComponent(agent)}${query}`
      const answer = await post({ ...place, path }, token, event, millisecondsOf(within))
      context.terminal.print(checkAnswer(answer))
      return EXIT.done
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const words = rendered(withoutSecrets(why)).trim() || 'no reason was given'
      throw new CommandFailure('hook', `not allowed: ${words}`, EXIT.usage)
    }
  },
})

type ServerPlace =
  | { socketPath: string; host: string }
  | { protocol: string; hostname: string; port: string; host: string }

function millisecondsOf(within: string | undefined): number {
  if (within === undefined) return ANSWER_WITHIN_MS
  const [, seconds] = /^(\d{1,6})s$/.exec(within) ?? []
  if (seconds === undefined) throw new Error('--within must be a number of seconds, such as 5s')
  return Number(seconds) * 1000
}

function placeOf(socket: string | undefined, values: ConnectionValues, context: Context): ServerPlace {
  const url = values.url ?? (context.environment.BANKSMAN_URL || undefined)
  if (socket === undefined && url !== undefined) {
    const { protocol, hostname, port, host } = new URL(url)
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new Error(`${visible(url)} isn't the address of a server`)
    return { protocol, hostname: hostname.replace(/[[\]]/g, ''), port, host }
  }
  const folder = dataFolderOf(values, context)
  const found = socket ?? findRunningServer(folder)?.socket
  if (found === undefined) throw new Error(`no server with a socket is running on ${visible(folder.path)}`)
  return { socketPath: found, host: HOST }
}

interface HookAnswered {
  status: number
  text: string
}

function post(
  { host, ...place }: ServerPlace & { path: string },
  token: string,
  event: Buffer,
  withinMs: number,
): Promise<HookAnswered> {
  return new Promise((resolve, reject) => {
    const headers = {
      host,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': event.byteLength,
    }
    const signal = AbortSignal.timeout(withinMs)
    const request = 'protocol' in place && place.protocol === 'https:' ? requestSecurely : requestPlainly
    const sent = request({ ...place, method: 'POST', headers, signal }, (response) => {
      readAll(response).then((bytes) => {
        if (!response.complete) reject(new Error('the server’s answer was cut off'))
        else if (!isUtf8(bytes)) reject(new Error('the server answered nonsense'))
        else resolve({ status: response.statusCode ?? 0, text: bytes.toString('utf8') })
      }, reject)
    })
    sent.on('error', (error) =>
      reject(
        new Error(
          signal.aborted
            ? 'the server did not answer in time'
            : `the server did not answer: ${error.message}`,
        ),
      ),
    )
    sent.end(event)
  })
}

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    size += bytes.byteLength
    if (size > MAX_ANSWER_BYTES) throw new Error(`there are more than ${MAX_ANSWER_BYTES} bytes to read`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** Only an object with the status of an answer is one. A problem is told by its own words. */
function checkAnswer({ status, text }: HookAnswered): string {
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    throw new Error(`the server answered nonsense (status ${status})`)
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (status === 200 && isObject) return text
  const { detail } = isObject ? (value as { detail?: unknown }) : {}
  throw new Error(typeof detail === 'string' ? detail : `the server answered with status ${status}`)
}
