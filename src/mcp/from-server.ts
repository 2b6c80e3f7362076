/** Each line of the server goes on to the client as it is, but for answers to what we have asked, to calls that we gave it, and to lists of tools. */
import type { ForwardedCalls } from './calls/forwarded-calls.ts'
import { QUESTIONS } from './calls/given-answers.ts'
import type { McpWaits } from './calls/mcp-waits.ts'
import type { OwnRequests } from './calls/own-requests.ts'
import type { ServerRequests } from './calls/server-requests.ts'
import { errorLine } from './lines/answers.ts'
import { INVALID_REQUEST, isLookAlike, MISSPELLED, misspelledName } from './lines/client-message.ts'
import { cancelledKey, idAtEdges } from './lines/message-id.ts'
import { readServerLine, type ServerMessage } from './lines/server-message.ts'
import type { ListedTools, ListPage } from './listed-tools.ts'
import type { UpstreamLine } from './upstream/upstream.ts'

export interface FromServerParts {
  waiting: Pick<McpWaits, 'has'>
  running: Pick<ForwardedCalls, 'has' | 'finish' | 'fail'>
  listed: Pick<ListedTools, 'noteAnswer' | 'forget'>
  /** What we have asked the server ourselves. */
  own: Pick<OwnRequests, 'answer'>
  /** Requests of the client that went on as they came, and are not answered yet; of lists of tools, which page. */
  passed: Map<string, ListPage | undefined>
  /** What the server has asked the client. */
  asked: Pick<ServerRequests, 'open' | 'cancel'>
  toClient(bytes: Buffer): Promise<void>
  toServer(bytes: Buffer): Promise<void>
  note(text: string): void
  start(work: Promise<void>): void
  maxLineBytes: number
}

/** Of answers, in bytes. */
const MAX_ON_ITS_WAY = 16 * 1024 * 1024
const LINE_FEED = 0x0a
const MAX_SHOWN_PRINT = 4_000

export function createFromServer(parts: FromServerParts): (line: UpstreamLine) => Promise<void> {
  const { waiting, running, listed, own, passed, asked, toClient, toServer, note, start, maxLineBytes } =
    parts
  let onItsWay = 0

  /** Side by side with what follows, unless so much is on its way that a slow client would fill the memory. */
  async function deliver(size: number, work: Promise<void>): Promise<void> {
    onItsWay += size
    const done = work.finally(() => {
      onItsWay -= size
    })
    start(done)
    if (onItsWay > MAX_ON_ITS_WAY) await done.catch(() => {})
  }

  /** The pipe goes on; whoever waits for this line is told. */
  async function leaveOut(beginning: Buffer, ending: Buffer, size: number): Promise<void> {
    const because = `a line of ${size} bytes from the MCP server was left out: the limit is ${maxLineBytes}`
    note(because)
    const id = idAtEdges(beginning.toString('latin1'), ending.toString('latin1'))
    if (id === undefined) return
    if (running.has(id.key)) return running.fail(id.key, because)
    if (!passed.delete(id.key)) return
    return toClient(errorLine(id, INVALID_REQUEST, `Banksman: ${because}`))
  }

  async function fromRequest({ id, method, bytes }: ServerMessage): Promise<void> {
    const because = isLookAlike(method, QUESTIONS) ? MISSPELLED : asked.open(id!.key, method)
    if (because === undefined) return toClient(bytes)
    note(`a request of the server was left out: ${because}`)
    // Where its id is in use, an answer would be taken for the other's.
    if (because !== 'its id is in use')
      await toServer(errorLine(id, INVALID_REQUEST, `Banksman refuses this request: ${because}`))
  }

  return async ({ bytes, tooLong, ending, failed }) => {
    if (tooLong !== undefined) return leaveOut(bytes, ending ?? bytes, tooLong)
    // What we say next would stand in the same line.
    if (bytes.at(-1) !== LINE_FEED) return note('the server ended in the middle of a line; that was left out')
    const message = readServerLine(bytes)
    if (message.kind === 'stray') return note(`the server printed: ${shownPrint(bytes)}`)
    const misspelled = misspelledName(message.members)
    if (misspelled !== undefined)
      return note(
        `a line of the server has the name ${JSON.stringify(misspelled)}, spelled in other letters; that was left out`,
      )
    // Clients differ in which of the two they take it for.
    if (message.members.has('method') && (message.members.has('result') || message.members.has('error')))
      return note('a line of the server is a question and an answer; that was left out')
    if (message.method === 'notifications/tools/list_changed') listed.forget()
    if (message.kind === 'request') return fromRequest(message)
    if (message.method === 'notifications/cancelled') asked.cancel(cancelledKey(message) ?? '')
    if (message.kind !== 'response' || message.id === undefined) return toClient(bytes)
    const { key } = message.id
    if (own.answer(key, message)) return
    // Nobody has given it that call.
    if (waiting.has(key)) return note('the server answered a call that it was not given; that was left out')
    if (running.has(key) && failed !== undefined)
      return running.fail(key, failed.because, failed.didNotRun ? 'did not run' : 'may have run')
    if (running.has(key)) return deliver(bytes.length, running.finish(key, message))
    const page = passed.get(key)
    // A second answer, or one that comes before its request, would be heard by the client and not be on the record, or in the pins.
    if (!passed.delete(key)) return note('the server answered what nobody has asked; that was left out')
    if (failed?.isCancelled === true) return
    if (page !== undefined) return deliver(bytes.length, listed.noteAnswer(message, page).then(toClient))
    return toClient(bytes)
  }
}

function shownPrint(bytes: Buffer): string {
  if (bytes.length <= MAX_SHOWN_PRINT) return bytes.toString('utf8').trimEnd()
  return `${bytes.subarray(0, MAX_SHOWN_PRINT).toString('utf8')}… (${bytes.length - 1} bytes)`
}
