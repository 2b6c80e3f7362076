/** The memory store keeps the contract. */
import { describe, expect, it } from 'vitest'
import { describeStore } from '../../testing/store-suite.ts'
import { openMemoryStore } from './store.ts'

describeStore(
  { describe, it, expect },
  'memory',
  async () => {
    let at = 0
    const store = openMemoryStore({ now: () => at })
    return {
      store,
      setTime(time) {
        at = time
      },
      dispose: () => store.close(),
    }
  },
  { notShared: 'what is in memory belongs to one store object' },
)
