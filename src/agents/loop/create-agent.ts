/** One agent with our loop, and a host for its sessions. */

import type { SessionHostParts } from '../sessions/host-parts.ts'
import { type Agent, createSessionHost } from '../sessions/session-host.ts'
import { createLoopEngine } from './create-loop-engine.ts'
import type { LoopParts, LoopSettings } from './turn-state.ts'

export interface AgentParts extends Omit<SessionHostParts, 'agents' | 'defaultAgent'>, LoopParts {
  gateway: SessionHostParts['gateway'] & LoopParts['gateway']
  settings: AgentSettings
}

export interface AgentSettings extends LoopSettings {
  name: string
}

export function createAgent(parts: AgentParts): Agent {
  const { name } = parts.settings
  return createSessionHost({
    ...parts,
    agents: new Map([[name, createLoopEngine(parts)]]),
    defaultAgent: name,
  })
}
