/**
 * Where this process is, so that another one on the same machine can tell that it has ended: what it held is then free at
 * once, and not only when its leases end. Numbers of processes mean something only within one run of one machine, and in one
 * container: where that can't be told, nothing is known of others.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export interface ProcessPlace {
  name: string
  /** False where nothing is known. */
  hasEnded(name: string): boolean
}

/** Tells this run from another one that had the same number. */
const RUN = randomUUID()

export function processPlace(): ProcessPlace | undefined {
  const among = neighbourhood()
  if (among === undefined) return undefined
  return {
    name: JSON.stringify([among, process.pid, RUN]),
    hasEnded(name) {
      const [theirs, pid, run] = read(name)
      if (theirs !== among || run === RUN || typeof pid !== 'number') return false
      return pid === process.pid || !isAlive(pid)
    },
  }
}

/** Within it a number stands for one process at a time. */
function neighbourhood(): string | undefined {
  if (process.platform !== 'linux') return hostname()
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

function read(name: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(name)
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
