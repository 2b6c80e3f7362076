/** Goes on with a run that waits for people. */
import { SessionTerminated } from '../call-refused.ts'
import type { BanksmanSuspension } from './guard-tools.ts'

/** An agent of Mastra that was taken from a `Mastra` with storage. */
export interface SuspendableAgent<RESULT> {
  listSuspendedRuns(): Promise<{ runs: readonly SuspendedRun[] }>
  // biome-ignore lint/suspicious/noExplicitAny: Mastra's own options, which we add to.
  resumeGenerate(resumeData: any, options: any): Promise<RESULT>
}

interface SuspendedRun {
  runId: string
  toolCalls?: readonly SuspendedCall[] | undefined
}

interface SuspendedCall {
  toolCallId?: string | undefined
  suspendPayload?: unknown
}

/**
 * Resumes each call that the run is suspended at, once. A call whose request is still pending suspends again. Resolves with the result
 * of the run when it has gone on to its end, and with undefined while a call still waits. Rejects with `SessionTerminated` where a person ended the session. `options` are those
 * of `resumeGenerate`.
 */
export async function resumeRun<RESULT>(
  agent: SuspendableAgent<RESULT>,
  runId: string,
  options: object = {},
): Promise<RESULT | undefined> {
  const calls = await suspendedCalls(agent, runId)
  let last: RESULT | undefined
  for (const { toolCallId } of calls) {
    try {
      last = await agent.resumeGenerate({ banksman: 'look' }, { ...options, runId, toolCallId })
    } catch (error) {
      // Mastra rejects where a sibling is still suspended, although the call did its work.
      const left = await suspendedCalls(agent, runId)
      if (!left.some((call) => call.toolCallId !== toolCallId)) throw error
    }
  }
  const left = await suspendedCalls(agent, runId)
  for (const { suspendPayload } of left)
    throwIfEnded(suspendPayload as Partial<BanksmanSuspension> | undefined)
  return left.length === 0 ? last : undefined
}

async function suspendedCalls(agent: SuspendableAgent<unknown>, runId: string): Promise<SuspendedCall[]> {
  const { runs } = await agent.listSuspendedRuns()
  const calls = runs.find((run) => run.runId === runId)?.toolCalls ?? []
  return calls.filter(({ toolCallId }) => toolCallId !== undefined)
}

function throwIfEnded(suspension: Partial<BanksmanSuspension> | undefined): void {
  const { ended, tool = '', because = 'a person ended the session' } = suspension ?? {}
  if (ended === true) throw new SessionTerminated(tool, { state: 'terminated', because, mayRetry: false })
}
