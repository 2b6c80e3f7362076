/**
 * `banksman mcp`: between an MCP client and its server. Lines go through as they are, in both directions; a copy of each line of the client
 * is read. A call of a tool waits here until the Banksman server has allowed it, and everything else goes on meanwhile.
 *
 * What MUST hold
 * - What reaches the server is what was approved: the client's own bytes, or those bytes with the arguments that a person wrote.
 * - What can't be read whole is refused, not forwarded (`lines/client-message.ts`).
 * - A call that is cancelled, or whose client has gone, is not forwarded afterwards. One that runs is let run, and its outcome is reported.
 * - Starting has no effect: nothing is asked or written before the client wants something.
 *
 * What MUST NOT happen
 * - No failure ends in a call that nobody allowed: the Banksman server is away, slow, restarts, answers nonsense.
 */
import { randomBytes } from 'node:crypto'
import { messageOf } from '../core/errors.ts'
import { createAskInClient } from './calls/ask-in-client.ts'
import { createGateCalls } from './calls/gate-calls.ts'
import { createLikeIds } from './calls/like-ids.ts'
import { createOwnRequests } from './calls/own-requests.ts'
import { createServerRequests } from './calls/server-requests.ts'
import { createClientFacts } from './client-facts.ts'
import { createFromClient } from './from-client.ts'
import { createFromServer } from './from-server.ts'
import { type MessageId, messageId } from './lines/message-id.ts'
import type { Line } from './lines/split-lines.ts'
import { createListedTools, type ListPage } from './listed-tools.ts'
import type { ServerLink } from './server-link/server-link.ts'
import { pause } from './upstream/pause.ts'
import type { Upstream } from './upstream/upstream.ts'

export interface ProxyParts {
  name: string
  link: ServerLink
  upstream: Upstream
  client: { lines: AsyncIterable<Line>; send(bytes: Buffer): Promise<void> }
  /** A line on standard error. */
  note(text: string): void
  /** How long a call waits for people. Absent: as long as this client bears it. */
  holdMs?: number | undefined
  maxLineBytes: number
  progressEveryMs?: number
  /** The person in front of the client is told too. It makes what can't be seen of a text visible. */
  askInClient?: { visible(text: string): string } | undefined
}

/** Clients stop what goes on for much longer after they have closed its input. */
const LAST_CALLS_MS = 5_000
const SERVER_ENDED = 'the MCP server ended before it answered'

/** The server's ids are not known here, so it can't meet them only because nobody can guess it. */
function randomId(): MessageId {
  return messageId(JSON.stringify(`banksman-${randomBytes(12).toString('hex')}`))!
}

/** Resolves with the exit code once the server has ended. */
export async function runProxy(parts: ProxyParts): Promise<number> {
  const { name, link, upstream, note, maxLineBytes, askInClient } = parts
  const { lines, send: toClient } = parts.client
  const toServer = (bytes: Buffer) => upstream.send(bytes)
  const client = createClientFacts()
  const ids = createLikeIds()
  const toTheServer = createOwnRequests(toServer, ids.next)
  const toTheClient = createOwnRequests(toClient, randomId)
  const listed = createListedTools({
    request: toTheServer.request,
    hidden: (names) => link.hidden(names),
  })
  const underway = new Set<Promise<void>>()
  const passed = new Map<string, ListPage | undefined>()
  const asked = createServerRequests()
  let hasEnded = false

  /** Side by side with everything else. Whatever goes wrong is told, and lets nothing run. */
  function start(work: Promise<void>): void {
    const settled = work.catch((error) => note(`a message was lost: ${messageOf(error)}`))
    underway.add(settled)
    void settled.then(() => underway.delete(settled))
  }

  const inClient =
    askInClient &&
    createAskInClient({
      server: name,
      client,
      request: toTheClient.request,
      withdraw: (requestId, reason) => link.withdraw(requestId, reason),
      start,
      ...askInClient,
    })
  const calls = createGateCalls({
    name,
    session: `mcp-${name}-${randomBytes(8).toString('hex')}`,
    link,
    listed,
    client,
    inClient,
    holdMs: parts.holdMs,
    progressEveryMs: parts.progressEveryMs,
    toClient,
    toServer,
    note,
    start,
    newId: ids.next,
    ended: () => (hasEnded ? SERVER_ENDED : undefined),
  })
  const ways = { passed, asked, toClient, toServer, note, start, maxLineBytes }
  const fromClient = createFromClient({ ...ways, calls, client, own: toTheClient, toTheServer, ids })
  const fromServer = createFromServer({ ...ways, ...calls, listed, own: toTheServer })

  /** Whoever waits for a person has gone. What is only on its way to the Banksman server is forwarded. */
  async function endWaits(): Promise<void> {
    const requests = calls.waiting.close()
    calls.tasks.close()
    await Promise.allSettled([...requests.map((id) => link.withdraw(id)), ...underway])
  }

  async function readClient(): Promise<void> {
    for await (const line of lines) await fromClient(line).catch((error) => note(messageOf(error)))
    // A server that no longer reads, or a Banksman server that hangs, keeps nothing alive for a client that has gone.
    await Promise.race([endWaits(), pause(LAST_CALLS_MS)])
    upstream.end()
  }

  const reading = readClient().catch((error) => note(messageOf(error)))
  for await (const line of upstream.lines) await fromServer(line).catch((error) => note(messageOf(error)))
  const { code, because } = await upstream.ended
  if (because !== undefined) note(because)
  hasEnded = true
  const waitsEnd = endWaits()
  await calls.running.failAll(SERVER_ENDED)
  await waitsEnd
  // Where the client still writes, nobody reads it any longer.
  void reading
  return code
}
