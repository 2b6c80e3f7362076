/** Small values in this origin's own storage; where the browser refuses that, for as long as the page is open. */
import { parseJson } from '../../../../src/core/json/parse-json.ts'
export interface StoredValue<T> {
  read(): T | undefined
  write(value: T | undefined): void
}

/** `read` gives undefined for whatever does not have the form that `parse` wants. */
export function createStoredValue<T>(
  storage: () => Storage,
  name: string,
  parse: (value: unknown) => T | undefined,
): StoredValue<T> {
  let held: T | undefined
  return {
    read() {
      try {
        const text = storage().getItem(name)
        return text === null ? held : parse(parseJson(text))
      } catch {
        return held
      }
    },
    write(value) {
      held = value
      try {
        if (value === undefined) storage().removeItem(name)
        else storage().setItem(name, JSON.stringify(value))
      } catch {
        // It holds until the page is closed.
      }
    },
  }
}
