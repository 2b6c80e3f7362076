/** What a gateway is given: everything it may not reach for by itself. */

import type { Directory } from '../core/authority.ts'
import { BanksmanError } from '../core/errors.ts'
import type { Request } from '../core/request.ts'
import type { LaxMode } from '../core/session.ts'
import type { Clock, KeepAlive, Random } from '../core/time/clock.ts'
import { isDuration, MAX_DURATION_MS } from '../core/time/duration.ts'
import { CLAIM_WITHIN_MS } from '../core/transitions.ts'
import type { Facts, Verdict } from '../core/verdict.ts'
import type { ChainWriter } from '../journal/entry.ts'
import type { Channel } from '../people/channel.ts'
import type { JudgedCall, Policy } from '../policy/policy.ts'
import type { Store } from '../stores/store.ts'
import type { AskLimits } from './lifecycle/admission.ts'

export type { JudgedCall, Policy }

export interface GatewayParts {
  store: Store
  clock: Clock
  random: Random
  /** This run's journal chain. */
  chain: ChainWriter
  /** The policy that holds now. */
  policy: () => Policy
  /** Who is who now. */
  directory: () => Directory
  /** Brings the directory up to date, where others than this process change it. */
  refreshDirectory?: () => Promise<void>
  channels: readonly Channel[]
  /** Looks up what the policy needs to know of a call. The default knows nothing. */
  gatherFacts?: (call: JudgedCall, source: FactsSource) => Promise<Facts | undefined>
  /** The text of a file of the workspace, for showing what a change would do to it. The default reads nothing. */
  readText?: (path: string) => Promise<string | undefined>
  /** Lets others have their turn in the middle of long work. The default goes on at once. */
  giveWay?: () => Promise<void>
  /** The modes that ask less than `default` and may be set now. The default is `acceptEdits` alone. */
  modes?: () => readonly LaxMode[]
  settings?: Partial<GatewaySettings>
  /** Done after a claim is committed and before anybody is given it. Where it fails, nobody is. */
  beforeClaim?: () => Promise<void>
  /** Told of what happens, for metrics. Must not throw. */
  observe?: (measurement: Measurement) => void
  /** Wraps work in a span. The default just does the work. */
  trace?: Trace
  keepAlive?: KeepAlive
  /** Told of faults that nobody waits for. */
  report?: (fault: { doing: string; error: unknown }) => void
}

export interface FactsSource {
  /** The agent may be on another machine, whose paths are not ours. */
  remote: boolean
  /** What a policy that does not hold needs to know; absent: what the one that holds does. */
  lookups?: Policy['lookups']
}

export interface GatewaySettings {
  /** How long a request waits for a person. A day: people sleep, and an expired request costs a whole turn. */
  expiresInMs: number
  /** A runner that is silent for this long is taken for dead. Too short makes false unknowns; too long only delays a true one. */
  leaseMs: number
  /** How long an approval may wait to be run, where its rule says nothing. At most seven days. */
  claimWithinMs: number
  /**
   * How long a call may run that was handed over to somebody who can't be asked. Too short makes false unknowns, which nobody is asked
   * about; too long keeps the same call from being let through without a question.
   */
  runWithinMs: number
  /** How long `guard` waits for the outcome to be on the record before it gives the result without that. */
  recordWithinMs: number
  maxPendingPerSession: number
  /** Of one agent, over all its sessions. Absent: no limit. */
  limits?: AskLimits
  /** How long a live channel counts as reachable after it was last heard of, or after a restart. */
  presenceMs: number
}

export const DEFAULT_SETTINGS: GatewaySettings = {
  expiresInMs: 24 * 60 * 60_000,
  leaseMs: 30_000,
  claimWithinMs: CLAIM_WITHIN_MS,
  runWithinMs: 2 * 60 * 60_000,
  recordWithinMs: 10_000,
  maxPendingPerSession: 100,
  presenceMs: 30_000,
}

/** Throws where one of the times is none. */
export function checkedSettings(settings: GatewaySettings): GatewaySettings {
  for (const [name, value] of Object.entries(settings)) {
    if (!name.endsWith('Ms') || isDuration(value)) continue
    const words = `settings.${name} must be a whole number of milliseconds from 1 to ${MAX_DURATION_MS}, which is ten years; found ${value}`
    throw new BanksmanError('invalid', words)
  }
  return settings
}

export type Measurement =
  | { kind: 'verdict'; verdict: Verdict['kind'] | 'granted' }
  | { kind: 'opened'; state: Request['state'] }
  | { kind: 'decided'; decision: string; waitedMs: number }
  | { kind: 'ended'; state: Request['state'] }

export type Trace = <T>(
  name: string,
  attributes: Record<string, string | number | boolean>,
  work: (note: (attributes: Record<string, string | number | boolean>) => void) => Promise<T>,
) => Promise<T>
