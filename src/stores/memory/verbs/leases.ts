/** Leases in memory. */
import { defined } from '../../../core/defined.ts'
import type { Lease, LeaseVerbs } from '../../store.ts'
import type { Applier } from '../tables/applier.ts'
import { frozenCopy } from '../tables/frozen-copy.ts'

export function createLeases(applier: Applier, now: () => number): LeaseVerbs {
  const leases = new Map<string, Lease>()
  /** Of all leases together: one that has ended need not be kept for its fence. */
  let lastFence = 0

  return {
    take: ({ name, holder, leaseMs, note }) =>
      applier.write(() => {
        const found = leases.get(name)
        const held = found !== undefined && found.until > now() ? found : undefined
        if (held !== undefined && held.holder !== holder) return held
        const lease = frozenCopy({
          name,
          holder,
          fence: held?.fence ?? lastFence + 1,
          until: now() + leaseMs,
          ...defined({ note }),
        })
        if (held === undefined) {
          lastFence = lease.fence
          forgetEnded()
        }
        leases.set(name, lease)
        return lease
      }),
    release: (name, holder) =>
      applier.write(() => {
        if (leases.get(name)?.holder === holder) leases.delete(name)
      }),
    list: (prefix) =>
      applier.read(() =>
        [...leases.values()]
          .filter(({ name, until }) => name.startsWith(prefix) && until > now())
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      ),
  }

  function forgetEnded(): void {
    for (const [name, { until }] of leases) if (until <= now()) leases.delete(name)
  }
}
