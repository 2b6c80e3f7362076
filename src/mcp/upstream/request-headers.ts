/**
 * What the newer protocol repeats of a message in its headers. They are made from the bytes that are sent, so that they say what the body says:
 * a server turns away what differs.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { asObject } from '../calls/gated-call.ts'
import type { ParamHeaders } from './param-headers.ts'

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/** Which member names what the method is about. */
const NAMED_BY = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** Since 2026-07-28 each request says so itself. */
export function isModernRequest(params: Record<string, unknown>): boolean {
  return typeof asObject(params._meta)[VERSION] === 'string'
}

export function requestHeaders(
  method: string,
  params: Record<string, unknown>,
  declared: Pick<ParamHeaders, 'headersFor'>,
): OutgoingHttpHeaders {
  const version = asObject(params._meta)[VERSION]
  if (typeof version !== 'string' || method === '') return {}
  const name = params[NAMED_BY.get(method) ?? '']
  const isNamed = NAMED_BY.has(method) && typeof name === 'string'
  return {
    ...(method === 'tools/call' && isNamed ? declared.headersFor(name, asObject(params.arguments)) : {}),
    'mcp-protocol-version': headerText(version),
    'mcp-method': headerText(method),
    ...(isNamed ? { 'mcp-name': headerText(name) } : {}),
  }
}

/** What a header can't carry as it is goes as base64. */
export function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
  return isPlain && !text.startsWith('=?') ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
