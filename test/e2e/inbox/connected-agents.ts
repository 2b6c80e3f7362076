/** Agents that are connected to a server by their hooks, for the inbox to show: they send what the real ones were recorded to send. */
import * as claude from '../../../src/coding-agents/claude-code/fixtures/events.ts'
import { sessionOf } from '../../../src/coding-agents/hook-event.ts'
import type { Server } from '../../../src/server/start-server.ts'
import { until } from '../../fixtures/until.ts'

export interface ConnectedAgent {
  readonly session: string
  /** Sends a call that it wants to make, and waits for the answer as long as the hook does. */
  want(toolName: string, input: object): Promise<HookAnswer>
  /** The same call, without waiting: the id of the request that it opened. */
  ask(toolName: string, input: object): Promise<string>
}

export interface HookAnswer {
  hookSpecificOutput?: { permissionDecision?: string; permissionDecisionReason?: string }
  continue?: boolean
}

/** Claude Code on a laptop, in the folder. */
export async function connectClaudeCode(
  { url, gateway, self }: Server,
  { cwd, id = claude.common.session_id }: { cwd: string; id?: string },
): Promise<ConnectedAgent> {
  const made = { role: 'agent', subject: 'claude-code@laptop', scope: 'hooks:claude-code' } as const
  const { secret } = await gateway.tokens.create(made, self)
  const session = sessionOf('claude-code', id)
  let calls = 0

  async function send(toolName: string, input: object): Promise<HookAnswer> {
    const event = {
      ...claude.preToolUse,
      session_id: id,
      cwd,
      tool_name: toolName,
      tool_input: input,
      tool_use_id: `toolu_${++calls}`,
    }
    const answer = await fetch(`${url}/v1/hooks/claude-code`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(event),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as HookAnswer
  }

  const pending = async () => (await gateway.list({ state: 'pending', session }, self)).items

  return {
    session,
    want: send,
    async ask(toolName, input) {
      const before = new Set((await pending()).map((request) => request.id))
      void send(toolName, input).catch(() => {})
      const isNew = (request: { id: string }) => !before.has(request.id)
      await until(async () => (await pending()).some(isNew))
      return (await pending()).find(isNew)!.id
    },
  }
}
