/**
 * Pins of MCP servers. What a server says of a tool is what the model and the people go by, and a server can change it at any time. So the
 * first use of a server keeps which program or address it is, and the first use of a tool the digest of all that the server says of it.
 * When one of them is another later, no rule, mode or grant lets a call through: a person is asked, until an admin has seen the
 * difference and accepted it.
 */

import { defined } from '../../core/defined.ts'
import { digestOf } from '../../core/digest.ts'
import { canonicalize, type JsonObject } from '../../core/json/json.ts'
import { told } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import { createTextMasks, withPlainMasks } from '../../display/masks/mask-text.ts'
import type { EntryType } from '../../journal/entry.ts'
import type { Store } from '../../stores/store.ts'
import type { ForcedAsk } from '../judging/forced-ask.ts'
import type { JournalWriter } from '../record/journal-writer.ts'

/** One thing that was seen of a server: its program, or what it says of a tool. */
export interface McpPin {
  digest: string
  /** For people: the command, or the definition as JSON; secrets are masked. Absent where it is too long to keep. */
  text?: string
  at: number
}

export interface PinnedMcp extends McpPin {
  /** What it is now, where nobody has accepted that. */
  changed?: McpPin
}

export interface PinnedMcpServer {
  name: string
  program: PinnedMcp
  tools: (PinnedMcp & { name: string })[]
}

export interface SeenMcpCall {
  server: string
  /** The command and its words, or the address. */
  program: readonly string[]
  /** Of a tool: its name, and all that the server says of it. */
  tool?: { name: string; definition: JsonObject | undefined }
}

export interface McpPins {
  /** Why a person must be asked about this call; undefined where all is as it was. Pins what is new. */
  check(seen: SeenMcpCall, actor: Actor): Promise<ForcedAsk | undefined>
  list(): Promise<PinnedMcpServer[]>
  /** From now on this is how it is. `digest`: what the admin saw. Without a tool it is about the program. */
  accept(place: { server: string; tool?: string; digest: string }, actor: Actor): Promise<void>
}

interface Seen {
  digest: string
  show(): string
}

export interface McpPinPorts {
  store: Pick<Store, 'now' | 'records'>
  journal: JournalWriter
}

const SERVER = 'mcp_server'
const TOOL = 'mcp_tool'
/** Longer ones are pinned, and can't be compared on the screen. */
const MAX_TEXT = 64 * 1024
const MAX_RACES = 10

export function createMcpPins({ store, journal }: McpPinPorts): McpPins {
  /** True where it is as it was, or new. What people are shown of it is made only where it is new. */
  async function isPinned(kind: string, key: string, { digest, show }: Seen, actor: Actor): Promise<boolean> {
    for (let race = 0; race < MAX_RACES; race++) {
      const found = await store.records.get(kind, key)
      const pinned = found?.value as PinnedMcp | undefined
      if (pinned?.digest === digest && pinned.changed === undefined) return true
      const isKnown = pinned?.changed?.digest === digest
      if (pinned !== undefined && isKnown) return false
      const seen = pinOf(digest, show())
      // The one that was accepted may come back: then nothing is changed any longer.
      const value: PinnedMcp =
        pinned === undefined || pinned.digest === seen.digest
          ? { ...(pinned === undefined ? seen : withoutChange(pinned)) }
          : { ...pinned, changed: seen }
      const type: EntryType = value.changed === undefined ? 'mcp.pinned' : 'mcp.changed'
      const { won } = await store.records.change(
        [{ kind, key, version: found?.version ?? 0, value: value as unknown as JsonObject }],
        entryFor(type, kind, key, digest, actor),
      )
      if (won) return value.changed === undefined
    }
    return false
  }

  function entryFor(type: EntryType, kind: string, key: string, digest: string, { subject, via }: Actor) {
    const [server = '', ...rest] = key.split('/')
    const tool = kind === TOOL ? rest.join('/') : undefined
    return journal.entry(type, { server, ...defined({ tool }), digest, by: subject, via })
  }

  const pinOf = (digest: string, shown: string): McpPin => ({
    digest,
    ...(shown.length <= MAX_TEXT ? { text: shown } : {}),
    at: store.now(),
  })

  return {
    async check({ server, program, tool }, actor) {
      const command = () => createTextMasks()(program.join(' '))
      const own = { digest: digestOf(canonicalize([...program])), show: command }
      if (!(await isPinned(SERVER, server, own, actor)))
        return told(reasonOf('ask.mcp-program', { server, program: command() }))
      if (tool === undefined) return undefined
      const text = canonicalize(tool.definition ?? null)
      const show = () => (text.length <= MAX_TEXT ? withPlainMasks(text) : text)
      const pinned = await isPinned(TOOL, `${server}/${tool.name}`, { digest: digestOf(text), show }, actor)
      return pinned ? undefined : told(reasonOf('ask.mcp-tool', { server, tool: tool.name }))
    },
    async list() {
      const all = (kind: string) => readAllPages((next) => store.records.list({ kind, ...next }))
      const [servers, tools] = [await all(SERVER), await all(TOOL)]
      return servers.map(({ key: name, value }) => ({
        name,
        program: value as unknown as PinnedMcp,
        tools: tools
          .filter(({ key }) => key.startsWith(`${name}/`))
          .map(({ key, value: tool }) => ({
            name: key.slice(name.length + 1),
            ...(tool as unknown as PinnedMcp),
          })),
      }))
    },
    async accept({ server, tool, digest }, actor) {
      if (actor.role !== 'admin') throw reasonedError('forbidden', reasonOf('mcp.admin-accepts'))
      const [kind, key] = tool === undefined ? [SERVER, server] : [TOOL, `${server}/${tool}`]
      const found = await store.records.get(kind, key)
      const pinned = found?.value as PinnedMcp | undefined
      if (found === undefined || pinned === undefined)
        throw reasonedError('unknown_id', reasonOf('mcp.unknown', { what: key }))
      if (pinned.digest === digest && pinned.changed === undefined) return
      if (pinned.changed?.digest !== digest)
        throw reasonedError('digest_mismatch', reasonOf('mcp.changed-again'))
      const { won } = await store.records.change(
        [{ kind, key, version: found.version, value: { ...pinned.changed } as unknown as JsonObject }],
        entryFor('mcp.accepted', kind, key, digest, actor),
      )
      if (!won) throw reasonedError('digest_mismatch', reasonOf('mcp.changed-again'))
    },
  }
}

function withoutChange({ changed: _, ...pinned }: PinnedMcp): McpPin {
  return pinned
}
