/** What the suite of the secretary needs of an engine. */
import type { PlaceOf } from '../../src/agents/secretary/session-places.ts'
import type { Engine } from '../../src/agents/sessions/engine.ts'
import type { Mode } from '../../src/core/session.ts'
import type { Clock } from '../../src/core/time/clock.ts'
import type { Gateway } from '../../src/gateway/gateway-verbs.ts'

export interface SecretaryDriver {
  readonly name: string
  /** `moved`: by the tests. `real`: it passes by itself, and the times that tests wait for are short. */
  readonly time: 'moved' | 'real'
  /** An engine with the tools Read, Write and Bash of Claude Code, whose model follows the script. */
  open(parts: DrivenParts): Promise<DrivenEngine>
  /** The call by which its model has an agent below it do a task, where it has any. */
  readonly task?: (words: string) => { tool: string; arguments: Record<string, string> }
}

export interface DrivenParts {
  /** As `docs/reference/script.md` says. */
  script: unknown
  placeOf: PlaceOf
  modeOf(session: string): Promise<Mode>
  gateway: Gateway
  clock: Clock
  /** A folder that the engine may keep things in, the same after a restart. */
  home: string
  report(fault: { doing: string; error: unknown }): void
}

export interface DrivenEngine {
  engine: Engine
  /** How many programs run for it. */
  programs?(): number
  close(): Promise<void>
}
