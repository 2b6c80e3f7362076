/** Takes back what a turn has asked people: a turn that is over leaves no question behind, of this process or of the one before. */
import { isBanksmanError } from '../../../core/errors.ts'
import type { Actor } from '../../../core/session.ts'
import type { SessionHostParts } from '../host-parts.ts'
import type { HostedSession, RunningTurn } from '../hosted-session.ts'

export interface RequestWithdrawal {
  /** All that the turn has asked; `by` whom, where it was a person. */
  ofTurn(hosted: HostedSession, running: RunningTurn, reason: string, by?: Actor): Promise<void>
  /** What the process before had asked, and nobody here waits for: a hook that thinks otherwise today, a tool that is gone. */
  left(hosted: HostedSession, turn: string, reason: string): Promise<void>
  one(id: string, reason: string, by: Actor): Promise<void>
}

export function createRequestWithdrawal({ gateway, report }: SessionHostParts): RequestWithdrawal {
  /** In the name of the person who stopped it, if they may; otherwise in the agent's own. */
  async function one(id: string, reason: string, by: Actor, otherwise?: Actor): Promise<void> {
    try {
      await gateway.cancel(id, { interrupted: true, reason }, by)
    } catch (error) {
      if (isBanksmanError(error, 'not_yours') && otherwise !== undefined) return one(id, reason, otherwise)
      if (!isBanksmanError(error, 'not_pending')) report({ doing: `withdrawing ${id}`, error })
    }
  }

  return {
    one,
    async ofTurn({ actor }, { waiting }, reason, by = actor) {
      const ids = [...waiting.keys()]
      waiting.clear()
      await Promise.all(ids.map((id) => one(id, reason, by, actor)))
    },
    async left({ session: id, actor, log }, turn, reason) {
      // An engine names its calls as it likes; what the model asked for is in the log before anybody is asked.
      const calls = log.of(turn).flatMap((entry) => (entry.kind === 'answered' ? entry.calls : []))
      const named = new Set(calls.map((call) => call.id))
      const { items } = await gateway.list({ state: 'approved', session: id, limit: 200 }, actor)
      // In what the turn has started, too.
      const waiting = (await gateway.waiting(id, actor))?.items ?? []
      const all = [...items, ...waiting.map(({ request }) => request)]
      const left = all.filter(
        ({ session, callId }) => session !== id || named.has(callId) || callId.startsWith(`${turn}.`),
      )
      await Promise.all(left.map((request) => one(request.id, reason, actor)))
    },
  }
}
