/** A task that another agent was at when the process ended: it goes on, and its result is the call's. */
import { contentOf } from '../../core/call.ts'
import { canonicalize, type JsonObject } from '../../core/json/json.ts'
import type { Request } from '../../core/request.ts'
import type { Refused } from '../../guard/contract.ts'
import type { ToolOutcome } from '../tools/tool.ts'
import { checkEdit } from './check-edit.ts'
import type { RunningCall } from './run-tool.ts'
import { SPAWN, startSubAgent } from './sub-agents.ts'
import type { TurnState } from './turn-state.ts'

/** Undefined where the refusal is the call's result. */
export async function resumeTask(
  state: TurnState,
  call: RunningCall,
  refused: Refused,
): Promise<ToolOutcome | undefined> {
  if (call.tool !== SPAWN) return undefined
  const { parts, session, turn } = state
  const mayHaveBegun =
    ['running', 'unknown'].includes(refused.state) ||
    refused.code === 'already_claimed' ||
    // A process that shut down in order has reported that it was cut short.
    (refused.state === 'done' && (await turn.isChildOpen(call.callId)))
  if (!mayHaveBegun) return undefined
  const { requestId } = refused
  const request = requestId === undefined ? undefined : await parts.gateway.get(requestId, session.owner)
  // What was told to stop does not go on.
  if (request?.progress.stop !== undefined) return undefined
  const args = await approvedArguments(state, call, request)
  const outcome = await startSubAgent(state, call.callId, args, turn.stop)
  const claim = request?.progress.claim
  if (request !== undefined && claim !== undefined && refused.state !== 'done') {
    const ended = outcome.isError === true ? 'error' : 'ok'
    await parts.gateway
      .report(request.id, { claimId: claim.id, outcome: ended }, session.owner)
      .catch((error) => parts.report({ doing: 'reporting a task that went on after a restart', error }))
  }
  return outcome
}

/** What was approved may be an edit of what the model asked for, and hooks look at that again, too. */
async function approvedArguments(
  state: TurnState,
  { callId, tool, step, seen }: RunningCall,
  request: Request | undefined,
): Promise<JsonObject> {
  if (request === undefined || request.bytes === '') return seen
  const args = contentOf(request.progress.approved?.bytes ?? request.bytes).arguments
  if (canonicalize(args) !== canonicalize(seen))
    await checkEdit(state, step, { callId, tool, arguments: args }, state.turn.stop)
  return args
}
