/** What a newly trusted configuration changes at once, and what only when the server is started again. */
import type { Configuration } from './configuration.ts'

/** Rules are followed at once; what runs beside the server is not taken down under those who use it. */
export function holdsFromNow(before: Configuration, after: Configuration): string {
  const parts = ['agent', 'hooks', 'pet', 'reactPlus', 'push', 'store', 'postgres', 'redis', 'proxy'] as const
  const runs = ({ talk, push, store, proxy }: Configuration) => ({
    ...talk,
    push,
    ...store,
    store: store.text,
    proxy: proxy.listen,
  })
  const changed = parts.filter(
    (part) => JSON.stringify(runs(before)[part]) !== JSON.stringify(runs(after)[part]),
  )
  if (changed.length === 0) return 'a newly trusted configuration holds from now on'
  const names = changed.map((part) => `${part}:`).join(', ')
  return `the policy of a newly trusted configuration holds from now on; what has changed under ${names} takes effect when the server is started again`
}
