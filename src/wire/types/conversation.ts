/**
 * A conversation with an agent of ours, as it goes over the wire. It differs from what the agent itself tells in what
 * people must not see or could not read: arguments are masked, and moments are texts.
 */
import type { AgentLineage } from '../../core/call.ts'
import type { LoggedCall, Said, TurnEntry, TurnEventBody } from '../../core/conversation.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { WithIsoTime } from './request.ts'

/** The answer to words that were said. */
export type WireSaid = Said

/** What `GET /v1/sessions/{id}/conversation` sends. The SSE event has its `kind` for a name and its `id` for an id. */
export type WireTurnEvent = {
  id: string
  turn: string
  /** Where it happened: the session itself, or one that it started. */
  session: string
  agent: AgentLineage
  at: string
} & WireTurnEventBody

export type WireTurnEventBody = WithShownCall<TurnEventBody>

type WithShownCall<Body> = Body extends { arguments: JsonObject } ? Body & ShownCall : Body

/** What people see of a call. */
export interface ShownCall {
  /** Masked where a value has the shape of a secret, and cut with marks where they are long. */
  arguments: JsonObject
  /** In one line, as `display` renders it. */
  summary: string
}

/** What `GET /v1/sessions/{id}/turns` lists. */
export type WireTurnEntry = WithShownCalls<TurnEntry>

type WithShownCalls<Entry> = Entry extends { kind: 'answered'; at: number }
  ? Omit<WithIsoTime<Entry>, 'calls' | 'provider'> & { calls: WireLoggedCall[] }
  : Entry extends { at: number }
    ? WithIsoTime<Entry>
    : Entry

export type WireLoggedCall = Pick<LoggedCall, 'id' | 'tool'> &
  (
    | ShownCall
    | { /** What the model wrote in the place of arguments, where it can't be read. */ unreadable: string }
  )
