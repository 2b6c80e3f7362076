/** Who asks: the agent, after those that started it. */
import type { WireRequest } from '../../../src/client/index.ts'

/** `planner › coder`. The names were made visible by the server. */
export function lineageText(agent: NonNullable<WireRequest['agent']>): string {
  return [...(agent.parents ?? []), agent.name].join(' › ')
}
