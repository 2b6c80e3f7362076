/** Calls that the policy allowed or denied by itself: they come from the history at first, and then as events. */
import type { JsonValue, WireCall, WireEntry } from '../../../../src/client/index.ts'
import { visible } from '../text/visible-line.ts'

export interface AutoDecidedCall {
  id: string
  kind: 'allowed' | 'denied' | 'granted'
  tool: string
  because: string
  /** What the sentence was made of, as it was sent. */
  reason?: unknown
  at: string
}

/** Enough to see that something happens. */
const KEEP = 20
const KINDS: ReadonlyMap<string, AutoDecidedCall['kind']> = new Map([
  ['call.allowed', 'allowed'],
  ['call.denied', 'denied'],
  ['grant.used', 'granted'],
])

/** Undefined for an entry that tells of something else. */
export function autoDecidedFromEntry({ type, at, body }: WireEntry): AutoDecidedCall | undefined {
  const kind = KINDS.get(type)
  if (kind === undefined) return undefined
  return {
    id: idOf(body.session, body.callId),
    kind,
    tool: text(body.tool),
    because: text(body.because),
    reason: body.reason,
    at,
  }
}

export function autoDecidedFromCall({
  session,
  callId,
  tool,
  verdict,
  because,
  reason,
  createdAt,
}: WireCall): AutoDecidedCall {
  const kind = verdict === 'deny' ? 'denied' : 'allowed'
  return {
    id: idOf(session, callId),
    kind,
    tool: visible(tool),
    because,
    reason,
    at: createdAt,
  }
}

/** The newest first, each once. */
export function addAutoDecided(
  known: readonly AutoDecidedCall[],
  more: readonly AutoDecidedCall[],
): AutoDecidedCall[] {
  const byId = new Map([...more, ...known].map((call) => [call.id, call]))
  return [...byId.values()].sort((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, KEEP)
}

function idOf(session: JsonValue | undefined, callId: JsonValue | undefined): string {
  return JSON.stringify([session, callId])
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? visible(value) : ''
}
