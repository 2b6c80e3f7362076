/**
 * The person in front of the MCP client is told, too, that a call waits: by a link to the request, or by a form in which they can reject it. Off unless
 * `--ask-in-client` is given.
 *
 * What MUST NOT happen: an answer of the client never approves anything. The client is a program of the agent's user; it may answer by itself, and some do.
 * A no is the safe side: the request is withdrawn with the client's word as the reason, and no person is named. Everything else (the link was opened, the form
 * was closed, no answer at all) changes nothing, and the request waits on wherever people are asked.
 *
 * Before 2026-07-28 it is a request of ours to the client, one at a time. Since then servers can't ask: the question goes along with the state that the
 * client comes back with.
 */
import { randomUUID } from 'node:crypto'
import { canonicalize } from '../../core/json/json.ts'
import { mcpToolName } from '../../core/support/mcp-names.ts'
import { type ClientFacts, shownName } from '../client-facts.ts'
import { parsedMember } from '../lines/server-message.ts'
import { forgetOldest } from './forget-oldest.ts'
import { asObject, type GatedCall } from './gated-call.ts'
import type { OwnRequests } from './own-requests.ts'
import type { PendingAsk } from './pending-ask.ts'

export interface AskInClient {
  /** For as long as a call is asked about. Undefined where its client can't be asked like this. */
  begin(call: GatedCall): { asked(request: PendingAsk): void; end(): void } | undefined
  /** Whether the question for this call goes along with a state. */
  asksByState(call: GatedCall): boolean
  /** What the client is asked along with the state, if it is. */
  inputRequests(call: GatedCall, callId: string, waiting: PendingAsk): Record<string, unknown> | undefined
  /** A call that has come back with a state, and with the client's answer if there was a question. */
  comesBack(call: GatedCall, callId: string): Promise<void>
}

export interface AskInClientPorts {
  /** The MCP server's name. */
  server: string
  client: Pick<ClientFacts, 'name' | 'asking'>
  request: OwnRequests['request']
  withdraw(requestId: string, reason: string): Promise<void>
  /** Side by side with everything else. */
  start(work: Promise<void>): void
  /** Makes what can't be seen of a text visible. */
  visible(text: string): string
}

const KEY = 'banksman'
const MAX_SHOWN = 2_000
const MAX_REASON = 500
/** Some clients never come back. */
const MAX_ASKED = 1_000
/** People are asked elsewhere at the same time, so nothing depends on it. */
const ANSWER_WITHIN_MS = 60 * 60_000

export function createAskInClient(ports: AskInClientPorts): AskInClient {
  const { server, client, request, withdraw, start, visible } = ports
  let isAsking = false
  /** Requests whose question went along with a state, by the call, and how it was asked. */
  const asked = new Map<string, { requestId: string; mode: unknown }>()

  /** Undefined: this client can't be asked about this call. */
  function question(call: GatedCall, { requestId, url }: PendingAsk): Record<string, unknown> | undefined {
    const { form, url: takesUrl } = client.asking(call)
    const what = shownCall(call)
    if (takesUrl && url !== undefined)
      return {
        mode: 'url',
        message: `${what}\nOpen the request to approve or reject it.`,
        url,
        elicitationId: requestId ?? randomUUID(),
      }
    if (!form) return undefined
    const where = url === undefined ? 'in the Banksman inbox' : `here: ${url}`
    return {
      message: `${what}\nApprove it ${where}\nIn this form you can only reject it.`,
      requestedSchema: {
        type: 'object',
        properties: {
          decision: {
            type: 'string',
            title: 'Decision',
            enum: ['reject', 'wait'],
            enumNames: ['Reject', 'Keep waiting'],
          },
          reason: {
            type: 'string',
            title: 'Reason',
            description: 'The model reads it.',
            maxLength: MAX_REASON,
          },
        },
        required: ['decision'],
      },
    }
  }

  function shownCall({ tool, arguments: args }: GatedCall): string {
    const written = visible(`${mcpToolName(server, tool)} ${canonicalize(args)}`)
    const shown =
      written.length <= MAX_SHOWN ? written : `${written.slice(0, MAX_SHOWN).toWellFormed()} … (cut here)`
    return `This call needs approval: ${shown}`
  }

  async function takeAnswer(requestId: string, asksBy: unknown, answer: unknown): Promise<void> {
    const no = rejectionIn(asksBy, answer)
    if (no === undefined) return
    const said = no.reason === '' ? '' : `: ${no.reason}`
    await withdraw(requestId, `rejected in ${shownName(client.name())}, by the word of that program${said}`)
  }

  const takes = (call: GatedCall) => {
    const { form, url } = client.asking(call)
    return call.method === 'tools/call' && (form || url)
  }

  return {
    begin(call) {
      if (call.isModern || !takes(call)) return undefined
      const controller = new AbortController()
      return {
        asked(waiting) {
          const { requestId } = waiting
          const params = isAsking || requestId === undefined ? undefined : question(call, waiting)
          if (params === undefined) return
          isAsking = true
          const work = request('elicitation/create', params, {
            withinMs: ANSWER_WITHIN_MS,
            signal: controller.signal,
          })
            .then((answer) =>
              answer === undefined
                ? undefined
                : takeAnswer(
                    requestId!,
                    params.mode,
                    parsedMember(answer.text, answer.members.get('result')),
                  ),
            )
            .finally(() => {
              isAsking = false
            })
          start(work)
        },
        end: () => controller.abort(),
      }
    },
    asksByState: (call) => call.isModern && !call.takesTasks && takes(call),
    inputRequests(call, callId, waiting) {
      const { requestId } = waiting
      if (!this.asksByState(call) || requestId === undefined) return undefined
      const params = question(call, waiting)
      if (params === undefined) return undefined
      asked.set(callId, { requestId, mode: params.mode })
      forgetOldest(asked, MAX_ASKED)
      // Since 2026-07-28 nothing is sent when a link has been opened, so it has no id.
      const { elicitationId, ...rest } = params
      return { [KEY]: { method: 'elicitation/create', params: rest } }
    },
    async comesBack(call, callId) {
      const question = asked.get(callId)
      asked.delete(callId)
      const answer = asObject(call.message.params.inputResponses)[KEY]
      if (question === undefined || answer === undefined) return
      await takeAnswer(question.requestId, question.mode, answer)
    },
  }
}

/** Only a plain no counts. Not opening a link is none. */
function rejectionIn(mode: unknown, answer: unknown): { reason: string } | undefined {
  if (mode === 'url') return undefined
  const { action, content } = asObject(answer)
  if (action === 'decline') return { reason: '' }
  const { decision, reason } = asObject(content)
  if (action !== 'accept' || decision !== 'reject') return undefined
  return { reason: typeof reason === 'string' ? reason.toWellFormed().slice(0, MAX_REASON) : '' }
}
