/**
 * Arguments that a server wants as headers too: `x-mcp-header` in a tool's input schema names them (2026-07-28). What a server writes there is
 * anything, so only what the protocol allows is taken: a text, a whole number or a boolean, below `properties` all the way, each name once.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { asObject } from '../calls/gated-call.ts'
import { parsedMember, type ServerMessage } from '../lines/server-message.ts'
import { headerText } from './request-headers.ts'

export interface ParamHeaders {
  /** An answer to a list of tools. */
  noteList(message: ServerMessage): void
  headersFor(tool: string, args: Record<string, unknown>): OutgoingHttpHeaders
}

interface DeclaredHeader {
  path: readonly string[]
  name: string
}

const KEY = 'x-mcp-header'
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/
const TYPES = new Set<unknown>(['string', 'integer', 'boolean'])
const MAX_DEPTH = 32
const MAX_HEADERS = 64
const MAX_TOOLS = 10_000

export function createParamHeaders(): ParamHeaders {
  const declared = new Map<string, DeclaredHeader[]>()
  return {
    noteList({ text, members }) {
      const { tools } = asObject(parsedMember(text, members.get('result')))
      for (const one of Array.isArray(tools) ? tools : []) {
        const { name, inputSchema } = asObject(one)
        if (typeof name !== 'string') continue
        const headers = declarationsIn(inputSchema)
        if (headers.length === 0) declared.delete(name)
        else if (declared.size < MAX_TOOLS) declared.set(name, headers)
      }
    },
    headersFor(tool, args) {
      const headers: OutgoingHttpHeaders = {}
      for (const { path, name } of declared.get(tool) ?? []) {
        const value = written(valueAt(args, path))
        if (value !== undefined) headers[`mcp-param-${name.toLowerCase()}`] = headerText(value)
      }
      return headers
    },
  }
}

/** None where one of them is against the protocol: the server has to say what it wants. */
function declarationsIn(schema: unknown): DeclaredHeader[] {
  const found: DeclaredHeader[] = []
  const names = new Set<string>()
  const look = (node: unknown, path: readonly string[]): boolean => {
    const { properties, type, ...rest } = asObject(node)
    if (Object.hasOwn(rest, KEY)) {
      const name = rest[KEY]
      if (typeof name !== 'string' || !TOKEN.test(name) || !TYPES.has(type) || path.length === 0) return false
      if (names.has(name.toLowerCase()) || found.length === MAX_HEADERS) return false
      names.add(name.toLowerCase())
      found.push({ path, name })
    }
    if (path.length === MAX_DEPTH) return true
    return Object.entries(asObject(properties)).every(([key, child]) => look(child, [...path, key]))
  }
  return look(schema, []) ? found : []
}

function valueAt(args: Record<string, unknown>, path: readonly string[]): unknown {
  let at: unknown = args
  for (const key of path) {
    const inside = asObject(at)
    if (!Object.hasOwn(inside, key)) return undefined
    at = inside[key]
  }
  return at
}

/** Undefined: there is nothing to say, or nothing that both sides would write alike. */
function written(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}
