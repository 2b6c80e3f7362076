/**
 * Whether files are still those that were opened. One that is removed, moved or replaced goes on being written by whoever has
 * it open, and nobody else ever reads that.
 */
import { statSync } from 'node:fs'

const EVERY_MS = 1000

/** Looks every second, and tells once of the first that is another file. Files that aren't there yet are not looked at. */
export function watchSameFiles(paths: readonly string[], onOther: (path: string) => void): { close(): void } {
  const known = paths.flatMap((path) => {
    const identity = identityOf(path)
    return identity === undefined ? [] : [{ path, identity }]
  })
  const timer = setInterval(() => {
    const other = known.find(({ path, identity }) => identityOf(path) !== identity)
    if (other === undefined) return
    clearInterval(timer)
    onOther(other.path)
  }, EVERY_MS).unref()
  return { close: () => clearInterval(timer) }
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}
