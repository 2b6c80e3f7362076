/**
 * Whether files are still those that were opened. One that is removed, moved or replaced goes on being written by whoever has
 * it open, and nobody else ever reads that. One that gets shorter was written over in its place, as by `cp`: a database never
 * does by itself, and only its log may.
 */
import { statSync } from 'node:fs'

const EVERY_MS = 1000

/** Looks every second, and tells once of the first that is another file. Files that aren't there yet are not looked at. */
export function watchSameFiles(paths: readonly string[], onOther: (path: string) => void): { close(): void } {
  const known = paths.flatMap((path) => {
    const found = findIdentity(path)
    return found === undefined ? [] : [{ path, ...found }]
  })
  const timer = setInterval(() => {
    const other = known.find((file) => {
      const found = findIdentity(file.path)
      if (found?.identity !== file.identity) return true
      const isShorter = found.size < file.size && !file.path.endsWith('-wal')
      file.size = found.size
      return isShorter
    })
    if (other === undefined) return
    clearInterval(timer)
    onOther(other.path)
  }, EVERY_MS).unref()
  return { close: () => clearInterval(timer) }
}

function findIdentity(path: string): { identity: string; size: bigint } | undefined {
  try {
    const { dev, ino, size } = statSync(path, { bigint: true })
    return { identity: `${dev}:${ino}`, size }
  } catch {
    return undefined
  }
}
