/** Sends a decision and says what became of it; whoever comes too late is told who was first (P2). */

import type { Client, Decision, DecisionInput, Vote, WireDecided } from '../../client/index.ts'
import { isClientError } from '../../client/index.ts'
import { decidersOf } from '../../core/decisions/votes.ts'
import { sayNames } from '../../display/words/deciders.ts'
import { sayDecided } from '../../display/words/decisions.ts'
import { sayState } from '../../display/words/request-states.ts'
import type { Context } from '../command-line/command.ts'
import { CommandFailure, EXIT, type ExitCode } from '../output/failures.ts'
import { safeJson, visible } from '../output/safe-text.ts'

export async function decideRequest(
  client: Client,
  id: string,
  { terminal }: Context,
  isJson: boolean,
  input: DecisionInput,
): Promise<ExitCode> {
  let decided: WireDecided
  try {
    decided = await client.decide(id, input)
  } catch (error) {
    if (isJson) throw error
    const winner = isClientError(error) ? recordedDecision(error.problem) : undefined
    if (winner === undefined) throw error
    throw new CommandFailure('already_decided', `too late: ${winner}`)
  }
  terminal.print(isJson ? safeJson(decided, 2) : tell(decided, terminal.locale))
  return EXIT.done
}

/** What was recorded before, in words; undefined where the server tells of none. */
export function recordedDecision(problem: { [member: string]: unknown } | undefined): string | undefined {
  const decision = problem?.decision as Partial<Decision> | undefined
  const votes = Array.isArray(problem?.votes) ? (problem.votes as Partial<Vote>[]) : []
  if (typeof decision?.kind !== 'string' || typeof decision.by !== 'string') return undefined
  const reason = typeof decision.reason === 'string' ? `: ${visible(decision.reason)}` : ''
  const { kind, by } = decision
  const voters = votes.flatMap((vote) => (typeof vote?.by === 'string' ? { by: vote.by } : []))
  const names = decidersOf({ decision: { kind, by }, votes: voters })
  const have = names.length > 1 ? 'have' : 'has'
  return `${sayNames(names, 'en')} ${have} already decided (${visible(sayDecided(kind, 'en'))})${reason}`
}

function tell({ request, decided, repeated }: WireDecided, locale: 'en' | 'zh'): string {
  const state = visible(sayState(request.state, locale))
  const lines = [`${visible(request.id)}: ${decided ? state : `your vote is counted (${votes(request)})`}`]
  if (repeated) lines[0] += '; it was recorded so before'
  lines.push(`digest ${visible(request.digest)}`)
  return lines.join('\n')
}

function votes({ votes, approvers }: WireDecided['request']): string {
  const needed = Math.max(...approvers.map(({ quorum }) => quorum))
  return `${votes.length} so far: ${sayNames(
    votes.map(({ by }) => by),
    'en',
  )}; ${needed} needed`
}
