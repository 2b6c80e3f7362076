/**
 * Leases for those who work on a gateway: an agent that runs a turn, a server that does a task for all. What holds a
 * lease is a holder: one run of one process, or a part of it. Nobody is asked who they are here; no route leads to it.
 */
import type { JsonValue } from '../../core/json/json.ts'
import type { Lease, Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'

export type { Lease }

export interface GatewayLeases {
  /** This run of this process, as a holder. */
  readonly holder: string
  /** A holder of its own within this run, for one of several who must not take each other's leases for their own. */
  newHolder(): string
  /** Says who holds it now, which may be somebody else. Without a holder it is for this run. */
  take(lease: { name: string; leaseMs: number; holder?: string; note?: JsonValue }): Promise<Lease>
  /** Frees it, if it is this holder's. */
  release(name: string, holder?: string): Promise<void>
  /** Those whose name begins so and that have not ended, by name. */
  list(prefix: string): Promise<Lease[]>
}

export interface LeasePorts {
  store: Pick<Store, 'leases'>
  host: Pick<Host, 'newId'>
  /** The name of the chain that this run began with: it may go over to another, and keeps its leases. */
  own: string
}

export function createLeaseVerbs({ store, host, own }: LeasePorts): GatewayLeases {
  return {
    holder: own,
    newHolder: () => host.newId('hld'),
    take: (lease) => store.leases.take({ holder: own, ...lease }),
    release: (name, holder = own) => store.leases.release(name, holder),
    list: (prefix) => store.leases.list(prefix),
  }
}
