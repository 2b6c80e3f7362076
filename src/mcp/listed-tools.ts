/**
 * What the server says of its tools, from all pages of its lists. The client's own lists are read along; where a tool is not among them, or
 * the server has said that they changed, the list is asked for here, and its answer goes no further.
 *
 * What the client was last told of a tool is kept until it is told anew: a server that tells it one thing and us another says both.
 *
 * Tools that the policy denies by name are cut out of what the client is given. They are denied all the same when they are called.
 */
import { digestOf } from '../core/digest.ts'
import { asObject } from './calls/gated-call.ts'
import type { OwnAnswer } from './calls/own-requests.ts'
import { type ByteSpan, itemsAt, membersAt } from './lines/json-members.ts'
import { parsedMember, type ServerMessage } from './lines/server-message.ts'

export interface ListedTools {
  /** What the server says of the tool; undefined where it doesn't list it, or can't be asked. */
  find(name: string, meta: Record<string, unknown>): Promise<Record<string, unknown> | undefined>
  /** The answer to a list that the client asked for, with the tools that may be seen. `page`: whether a list begins with it. */
  noteAnswer(message: ServerMessage, page?: ListPage): Promise<Buffer>
  /** The server says that they are others now. */
  forget(): void
}

export type ListPage = 'first' | 'next'

export interface ListedToolsPorts {
  /** Asks the server; undefined where it answers with an error or not in time. */
  request(method: string, params: object): Promise<OwnAnswer | undefined>
  /** Those of these names that the policy denies whatever their arguments are. Empty where nobody can say. */
  hidden(names: readonly string[]): Promise<ReadonlySet<string>>
}

const MAX_PAGES = 200

export function createListedTools({ request, hidden }: ListedToolsPorts): ListedTools {
  let tools = new Map<string, Record<string, unknown>>()
  /** The whole list was read since the server last said that it changed. */
  let listing: Promise<void> | undefined
  /** What the client was told last, also before the server said that they are others. */
  const told = new Map<string, Record<string, unknown>>()
  /** What the list that the client reads has said so far. */
  let saidToClient: ListedSoFar = new Map()

  function note(
    message: OwnAnswer,
    into: Map<string, Record<string, unknown>>,
    said: ListedSoFar,
  ): {
    names: string[]
    items: ByteSpan[]
    list: ByteSpan | undefined
    next?: string
  } {
    const { text, members } = message
    const result = members.get('result')
    const inside =
      result !== undefined && text[result.from] === '{' ? membersAt(text, result.from) : new Map()
    const list = inside.get('tools') as ByteSpan | undefined
    const items = list !== undefined && text[list.from] === '[' ? itemsAt(text, list.from) : []
    const names = items.map((item) => {
      const tool = asObject(parsedMember(text, item))
      const name = typeof tool.name === 'string' ? tool.name : ''
      if (name !== '') into.set(name, withOthers(said, name, tool))
      return name
    })
    const next = parsedMember(text, inside.get('nextCursor'))
    return { names, items, list, ...(typeof next === 'string' ? { next } : {}) }
  }

  async function listAll(meta: Record<string, unknown>): Promise<void> {
    // Where the server says meanwhile that they are others, these are the old ones.
    const into = tools
    const said: ListedSoFar = new Map()
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const answer = await request('tools/list', {
        ...(cursor === undefined ? {} : { cursor }),
        ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
      })
      if (answer === undefined) break
      cursor = note(answer, into, said).next
      if (cursor === undefined) return
    }
    // Not all of it could be read: the next call tries again.
    if (into === tools) listing = undefined
  }

  return {
    async find(name, meta) {
      if (!tools.has(name)) {
        listing ??= listAll(meta)
        await listing
      }
      return withTold(told.get(name), tools.get(name))
    },
    async noteAnswer(message, page = 'first') {
      if (page === 'first') saidToClient = new Map()
      const { names, items, list, next } = note(message, tools, saidToClient)
      for (const name of names) if (name !== '') told.set(name, tools.get(name)!)
      // The list is whole: what is not in it is no tool to the client any more.
      if (next === undefined && list !== undefined)
        for (const name of told.keys()) if (!saidToClient.has(name)) told.delete(name)
      if (list === undefined || items.length === 0) return message.bytes
      const unseen = await hidden(names)
      if (unseen.size === 0) return message.bytes
      const { bytes } = message
      const kept = items.filter((_, index) => !unseen.has(names[index]!))
      const parts = kept.flatMap(({ from, to }, index) => [
        ...(index === 0 ? [] : [Buffer.from(',')]),
        bytes.subarray(from, to),
      ])
      return Buffer.concat([bytes.subarray(0, list.from + 1), ...parts, bytes.subarray(list.to - 1)])
    },
    forget() {
      tools = new Map()
      listing = undefined
    },
  }
}

/** What one list has said of each tool. `digest`: of all that came behind the first, of which people see some. */
type ListedSoFar = Map<
  string,
  { first: Record<string, unknown>; text: string; others: unknown[]; digest: string }
>

const MAX_OTHERS = 3

/** Clients differ in which of two tools of one name they take. So what is pinned is all that the list says of it. */
function withOthers(said: ListedSoFar, name: string, tool: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(tool)
  const known = said.get(name)
  if (known === undefined) said.set(name, { first: tool, text, others: [], digest: '' })
  if (known === undefined || (known.text === text && known.digest === '')) return tool
  known.digest = digestOf(known.digest + text)
  if (known.others.length < MAX_OTHERS) known.others.push(tool)
  return { ...known.first, listedAlsoAs: [...known.others, known.digest] }
}

/** What the model knows of a tool is what its client was told. Where we are told otherwise, or nothing any more, that is another tool. */
function withTold(
  told: Record<string, unknown> | undefined,
  listed: Record<string, unknown> | undefined,
): Record<string, unknown> | undefined {
  if (told === undefined || told === listed) return listed
  const text = JSON.stringify(listed ?? null)
  if (text === JSON.stringify(told)) return told
  const others = Array.isArray(told.listedAlsoAs) ? told.listedAlsoAs : []
  return { ...told, listedAlsoAs: [...others, ...(listed === undefined ? [] : [listed]), digestOf(text)] }
}
