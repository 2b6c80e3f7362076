/** The second half of the kit's pause: the message that makes a run go on, once everything is decided. */
import type { Guard } from '../../guard/contract.ts'
import { forecast } from '../forecast.ts'
import { type AdkOptions, adkCallsOf, guardTools } from './guard-tools.ts'
import type { AdkConfirmation } from './step-calls.ts'

export interface PausingAdk<TOOLS> {
  tools: TOOLS
  /**
   * The message to go on with, for `newMessage` of `runAsync`; undefined while a call of the step still waits, and once the run has gone
   * on. The kit asks the model as soon as one of them is confirmed, so it has all of them. Confirmations that your own tools asked for are yours to add.
   */
  confirmations(session: AdkSession): Promise<AdkMessage | undefined>
}

/** `Session` of the kit. */
export interface AdkSession {
  id: string
  events: readonly AdkEvent[]
}

interface AdkEvent {
  content?: { parts?: readonly AdkPart[] | undefined } | undefined
}

interface AdkPart {
  text?: string | undefined
  functionResponse?: { name?: string } | undefined
  functionCall?: { id?: string; name?: string; args?: Record<string, unknown> } | undefined
}

export interface AdkMessage {
  role: 'user'
  parts: { functionResponse: { id: string; name: string; response: Record<string, unknown> } }[]
}

const CONFIRMATION = 'adk_request_confirmation'

export function pausing<TOOLS extends readonly object[]>(
  guard: Guard,
  tools: TOOLS,
  options: Omit<AdkOptions, 'pause'> = {},
): PausingAdk<TOOLS> {
  const pausingTools = guardTools(guard, tools, { ...options, pause: true })
  return {
    tools: pausingTools,
    async confirmations({ id: session, events }) {
      const parts: AdkMessage['parts'] = []
      for (const { id, call, banksman } of confirmationsIn(events)) {
        const toCall = pausingTools.map(nameAndCall).find(({ name }) => name === call.name)?.toCall
        const judged = banksman === '' ? undefined : await toCall?.(call.args ?? {}, call.id, session)
        if (judged !== undefined && (await forecast(guard, judged, options)).kind === 'wait') return undefined
        parts.push({ functionResponse: { id, name: CONFIRMATION, response: { confirmed: true } } })
      }
      return parts.length === 0 ? undefined : { role: 'user', parts }
    },
  }
}

function nameAndCall(tool: object) {
  return { name: (tool as { name?: unknown }).name, toCall: adkCallsOf(tool) }
}

/** Those of the last step that paused: what stands before has been answered. */
function confirmationsIn(events: readonly AdkEvent[]) {
  const at = events.findLastIndex((event) => callsIn(event).some(({ name }) => name === CONFIRMATION))
  if (hasGoneOn(events.slice(at + 1))) return []
  return callsIn(events[at]).flatMap(({ id, name, args }) => {
    const { originalFunctionCall, toolConfirmation } = (args ?? {}) as {
      originalFunctionCall?: NonNullable<AdkPart['functionCall']>
      toolConfirmation?: { payload?: Partial<AdkConfirmation> }
    }
    const banksman = toolConfirmation?.payload?.banksman
    const isOurs = name === CONFIRMATION && id !== undefined && banksman !== undefined
    return isOurs && originalFunctionCall !== undefined ? [{ id, call: originalFunctionCall, banksman }] : []
  })
}

/** Confirmed, and the model has been asked since. A run that was killed before that goes on with the same message. */
function hasGoneOn(events: readonly AdkEvent[]): boolean {
  const confirmedAt = events.findIndex((event) =>
    event.content?.parts?.some(({ functionResponse }) => functionResponse?.name === CONFIRMATION),
  )
  if (confirmedAt === -1) return false
  return events
    .slice(confirmedAt + 1)
    .some(({ content }) =>
      content?.parts?.some(({ text, functionCall }) => text !== undefined || functionCall !== undefined),
    )
}

function callsIn(event: AdkEvent | undefined): NonNullable<AdkPart['functionCall']>[] {
  return (event?.content?.parts ?? []).flatMap(({ functionCall }) =>
    functionCall === undefined ? [] : [functionCall],
  )
}
