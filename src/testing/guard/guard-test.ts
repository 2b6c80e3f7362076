/** What the parts of the guard's suite share. */
import type { ToolCall } from '../../core/call.ts'
import type { DecisionInput } from '../../core/decision.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { RequestState } from '../../core/request.ts'
import type { Guard } from '../../guard/contract.ts'
import type { Runner } from '../runner.ts'

export interface GuardUnderTest {
  guard: Guard
  /** One more, on the same data, for the same subject with the same token: as another process has it. */
  another: Guard
  /** One for another subject. */
  stranger: Guard
  /** A person who may decide everything. Rejects where the decision is refused. */
  decide(requestId: string, input: DecisionInput): Promise<unknown>
  /** What is kept of a request. */
  request(id: string): Promise<{
    state: RequestState
    digest: string
    allowedDecisions: readonly string[]
    predecessor?: string
    /** What a person is told of the same call, approved before. */
    sameCall?: { id: string; state: string }
  }>
  /** The requests that are pending now. */
  pending(): Promise<{ id: string; digest: string; callId: string; session: string }[]>
  /** Moves the time by which requests expire. Absent: it can't be moved, and what needs it is skipped. */
  advance?(ms: number): Promise<void>
  close(): Promise<void>
}

export interface GuardSuite {
  runner: Runner
  /** A test with a guard of its own. */
  test(name: string, body: (under: GuardUnderTest) => Promise<void>): void
  /** One that has to move the time. */
  timed(name: string, body: (under: Required<GuardUnderTest>) => Promise<void>): void
}

export function createGuardSuite(runner: Runner, open: () => Promise<GuardUnderTest>): GuardSuite {
  const within = async (body: (under: GuardUnderTest) => Promise<void>) => {
    const under = await open()
    try {
      await body(under)
    } finally {
      await under.close()
    }
  }
  return {
    runner,
    test: (name, body) => runner.it(name, () => within(body)),
    timed: (name, body) =>
      runner.it(name, () =>
        within(async (under) => {
          if (under.advance !== undefined) await body(under as Required<GuardUnderTest>)
        }),
      ),
  }
}

let calls = 0

/** Asked about, unless it is given another tool. */
export function aCall(parts: Partial<ToolCall> = {}): ToolCall {
  return {
    tool: 'send_mail',
    arguments: { to: 'ana@example.com' },
    callId: `call-${++calls}`,
    session: `session-${calls}`,
    ...parts,
  }
}

/** The pending request of a call, once there is one. */
export async function asked(under: GuardUnderTest, { session, callId }: ToolCall): Promise<AskedRequest> {
  for (;;) {
    const found = (await under.pending()).find((one) => one.session === session && one.callId === callId)
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

type AskedRequest = Awaited<ReturnType<GuardUnderTest['pending']>>[number]

export async function approve(under: GuardUnderTest, call: ToolCall): Promise<AskedRequest> {
  const request = await asked(under, call)
  await under.decide(request.id, { decision: 'approve', digest: request.digest })
  return request
}

/** Counts its runs, and gives back what it was given. */
export function counter() {
  const runs: JsonObject[] = []
  return {
    runs,
    run(args: JsonObject) {
      runs.push(args)
      return { ran: runs.length }
    },
  }
}

/** The code that a promise rejects with; undefined where it doesn't. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error) => (error as { code?: unknown }).code,
  )
}
