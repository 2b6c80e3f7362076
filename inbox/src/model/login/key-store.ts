/** Keeps the key in this origin's own storage; where the browser refuses that, for as long as the page is open. */

export interface KeyStore {
  read(): string | undefined
  write(key: string): void
  forget(): void
}

const NAME = 'banksman.key'

export function createKeyStore(storage: () => Storage): KeyStore {
  let held: string | undefined
  const attempt = <T>(use: (storage: Storage) => T): T | undefined => {
    try {
      return use(storage())
    } catch {
      return undefined
    }
  }
  return {
    read: () => attempt((place) => place.getItem(NAME)) ?? held,
    write(key) {
      held = key
      attempt((place) => place.setItem(NAME, key))
    },
    forget() {
      held = undefined
      attempt((place) => place.removeItem(NAME))
    },
  }
}
