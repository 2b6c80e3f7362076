/**
 * What a hook is answered. Each agent has bytes of its own for it: the same JSON that means no to one lets the call run at another.
 *
 * `no_opinion`: the policy lets the call through, and the agent's own rules still apply. `allow`: a person approved exactly these
 * arguments. `deny`: it must not run. `noted`: an event that decides nothing was heard.
 */
import type { JsonObject } from '../core/json/json.ts'

export type AgentHookAnswer =
  | { kind: 'no_opinion' }
  /** `arguments` in the agent's own names. `note`: they are not what the model wrote, and it has to hear of that. */
  | { kind: 'allow'; arguments: JsonObject; note?: string }
  /**
   * `stop`: the whole session is over, not only this call. `waiting`: nobody has said no, and the same event may be sent once more to
   * go on waiting.
   */
  | { kind: 'deny'; because: string; stop?: true; waiting?: true }
  /** `note`: the call ran with other arguments than the model wrote. For agents that can't tell it before. */
  | { kind: 'noted'; note?: string }

/** A refusal without words is none for some agents: they make the call. */
export function spokenReason(because: string): string {
  return because.trim() === '' ? 'Banksman did not allow it, and no reason was given.' : because.trim()
}

/** For agents whose hooks can't end a session: the model is told to. */
export function lastWords({ because, stop }: Extract<AgentHookAnswer, { kind: 'deny' }>): string {
  const reason = spokenReason(because)
  return stop === true ? `${reason} The session was ended: make no more calls, and tell the user.` : reason
}
