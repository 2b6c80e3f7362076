/** Goes on with a run that waits for people. */
import { BanksmanError } from '../../core/errors.ts'
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
 * of the run when it has gone on to its end, and with undefined while a call still waits. Rejects with `SessionTerminated` where a
 * person ended the session, and with `invalid_resume` where no such run is suspended. `options` are those of `resumeGenerate`.
 */
export async function resumeRun<RESULT>(
  agent: SuspendableAgent<RESULT>,
  runId: string,
  options: object = {},
): Promise<RESULT | undefined> {
  const suspended = await suspendedRun(agent, runId)
  // Not undefined: a program would wait for it forever.
  if (suspended === undefined)
    throw new BanksmanError(
      'invalid_resume',
      `no run "${runId}" is suspended in the storage of this agent: it has ended, somebody else resumes it now, it was never kept, or the id is another run's. Take the agent from a Mastra with the storage that the run began with, as in mastra.getAgent('main'), and the \`runId\` from the result that was suspended`,
    )
  let last: RESULT | undefined
  for (const { toolCallId } of callsOf(suspended)) {
    try {
      last = await agent.resumeGenerate({ banksman: 'look' }, { ...options, runId, toolCallId })
    } catch (error) {
      // Mastra rejects where a sibling is still suspended, although the call did its work.
      const left = callsOf(await suspendedRun(agent, runId))
      if (!left.some((call) => call.toolCallId !== toolCallId)) throw error
    }
  }
  const left = callsOf(await suspendedRun(agent, runId))
  for (const { suspendPayload } of left)
    throwIfEnded(suspendPayload as Partial<BanksmanSuspension> | undefined)
  return left.length === 0 ? last : undefined
}

async function suspendedRun(
  agent: SuspendableAgent<unknown>,
  runId: string,
): Promise<SuspendedRun | undefined> {
  const { runs } = await agent.listSuspendedRuns()
  return runs.find((run) => run.runId === runId)
}

function callsOf(run: SuspendedRun | undefined): SuspendedCall[] {
  return (run?.toolCalls ?? []).filter(({ toolCallId }) => toolCallId !== undefined)
}

function throwIfEnded(suspension: Partial<BanksmanSuspension> | undefined): void {
  const { ended, tool = '', because = 'a person ended the session' } = suspension ?? {}
  if (ended === true) throw new SessionTerminated(tool, { state: 'terminated', because, mayRetry: false })
}
