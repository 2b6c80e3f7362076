/**
 * What a client is answered when its call has waited as long as the client bears, and nobody has decided. From the best to the last resort:
 * a task that it asks after, a state that it comes back with by itself, or words by which the model makes the same call again.
 */
import { waitingText } from '../../guard/model-texts.ts'
import { errorLine, NOT_ALLOWED, notRun, resultLine } from '../lines/answers.ts'
import type { ServerLink } from '../server-link/server-link.ts'
import type { AskInClient } from './ask-in-client.ts'
import { forgetOldest } from './forget-oldest.ts'
import type { GatedCall } from './gated-call.ts'
import type { OwnTasks } from './own-tasks.ts'
import type { PendingAsk } from './pending-ask.ts'

export interface PendingCall {
  call: GatedCall
  session: string
  callId: string
  waiting: PendingAsk
  /** How often its client has come back with a state. */
  rounds: number
}

/** Clients call again ten times, and take one time more for a failure. */
const MAX_STATES = 10
const MAX_TOLD = 1_000

export function createAnswerPending({
  link,
  tasks,
  inClient,
  note,
}: {
  link: Pick<ServerLink, 'makeState'>
  tasks: Pick<OwnTasks, 'open'>
  inClient: Pick<AskInClient, 'inputRequests'> | undefined
  note(text: string): void
}): (pending: PendingCall) => Promise<Buffer> {
  /** How often the model was told to wait, by request. */
  const told = new Map<string, number>()

  return async (pending) => {
    const { call, waiting, rounds } = pending
    const { requestId } = waiting
    if (requestId !== undefined && call.takesTasks && call.method === 'tools/call') return tasks.open(pending)
    if (
      requestId !== undefined &&
      call.isModern &&
      call.method !== 'completion/complete' &&
      rounds < MAX_STATES
    ) {
      const requestState = await link.makeState(pending).catch((error) => void note(String(error)))
      if (requestState !== undefined) {
        // One question is enough: the client comes back by itself.
        const inputRequests =
          rounds === 0 ? inClient?.inputRequests(call, pending.callId, waiting) : undefined
        const asks = inputRequests === undefined ? {} : { inputRequests }
        return resultLine(call.id, { resultType: 'input_required', ...asks, requestState })
      }
    }
    return ticket(call, waiting)
  }

  function ticket({ id, method, isModern, wantsTask }: GatedCall, waiting: PendingAsk): Buffer {
    const { requestId, url, approvers = [] } = waiting
    const times = requestId === undefined ? 1 : (told.get(requestId) ?? 0) + 1
    if (requestId !== undefined) told.set(requestId, times)
    forgetOldest(told, MAX_TOLD)
    const where = url === undefined ? '' : ` People approve it here: ${url}`
    const text = `${waitingText({ requestId, approvers, times })}${where}`
    return method === 'tools/call'
      ? notRun(id, { text, requestId, isModern, wantsTask })
      : errorLine(id, NOT_ALLOWED, text)
  }
}
