/** Opens the store that a text names: `sqlite:banksman.db`, `memory:`. The drivers are imported late. */
import { BanksmanError } from '../core/errors.ts'
import type { Store } from '../stores/store.ts'

export async function openStore(name: string, namespace: string): Promise<Store> {
  const [, scheme, rest] = /^([a-z]+):(.*)$/s.exec(name) ?? []
  switch (scheme) {
    case 'memory': {
      const { openMemoryStore } = await import('../stores/memory/store.ts')
      return openMemoryStore({ namespace })
    }
    case 'sqlite': {
      if (rest === undefined || rest === '')
        invalid(`${JSON.stringify(name)} names no file; write sqlite:banksman.db`)
      const { openSqliteStore } = await import('../stores/sqlite/store.ts')
      return openSqliteStore({ path: rest, namespace })
    }
    default:
      return invalid(`${JSON.stringify(name)} is no store; write sqlite:<file> or memory:`)
  }
}

function invalid(message: string): never {
  throw new BanksmanError('invalid_configuration', message)
}
