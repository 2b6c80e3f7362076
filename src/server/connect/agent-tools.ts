/** What is done with the programs themselves when an agent is connected: its own list of hooks, and the proof that ours arrive. */
import type { AgentPlace, AgentSetup, HookWiring, ListedHook } from '../../coding-agents/setup/agent-setup.ts'
import { openCodexHooks } from './codex-hooks.ts'
import type { WantedConnection } from './connect-agent.ts'
import { proveHook } from './prove-hook.ts'
import { provePlugin } from './prove-plugin.ts'

export interface AgentTools {
  /** Starts the agent so that it can be asked for its hooks. Absent: it has no list. */
  openHooks?(agent: ListedAgent): HookLists
  /** Throws unless an event got from the agent's place to the server. */
  prove(wanted: WantedConnection, wiring: HookWiring, hasArrived: HasArrived): Promise<void>
}

export interface HookLists {
  /** As they are now, however often it is asked. */
  list(): Promise<ListedHooks>
  /** Ends the agent. */
  close(): Promise<void>
}

export interface ListedHooks {
  ours: ListedHook[]
  /** Those of others that see a call, as people would recognize them. */
  others: string[]
}

export interface ListedAgent {
  setup: AgentSetup
  place: AgentPlace
  program: string
  wiring: HookWiring
  /** What is on the list may depend on the folder. */
  folder: string
}

/** Whether the server has seen an event of this session, from the token that was made for it. */
export type HasArrived = (session: string) => Promise<boolean>

const TOOLS: Readonly<Record<string, AgentTools>> = {
  'claude-code': { prove: proveHook },
  codex: { openHooks: (agent) => openCodexHooks(agent), prove: proveHook },
  opencode: { prove: provePlugin },
}

export function agentTools(name: string): AgentTools {
  return TOOLS[name] ?? { prove: proveHook }
}
