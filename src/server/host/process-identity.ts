/**
 * Where this process is, so that another one on the same machine can tell that it has ended: what it held is then free at
 * once, and not only when its leases end. Numbers of processes mean something only within one run of one machine, and in one
 * container: where that can't be told, nothing is known of others.
 *
 * A process may hold several of us, in threads or as copies of the package: all of them are the same place.
 */

import { readFileSync, readlinkSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { parseJson } from '../../core/json/parse-json.ts'

export interface ProcessIdentity {
  name: string
  /** False where nothing is known. */
  hasEnded(name: string): boolean
}

export function processIdentity(): ProcessIdentity | undefined {
  const among = neighbourhood()
  if (among === undefined) return undefined
  const begun = beginning()
  return {
    name: JSON.stringify([among, process.pid, begun]),
    hasEnded(name) {
      const [theirs, pid, theirBeginning] = read(name)
      if (theirs !== among || typeof pid !== 'number') return false
      return pid === process.pid ? begun !== '' && theirBeginning !== begun : !isAlive(pid)
    },
  }
}

/** When this process was started: tells it from another one that had the same number. Empty where it can't be read. */
function beginning(): string {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The second member is the program's name in brackets, with whatever it holds; the beginning is the 22nd.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

/** Within it a number stands for one process at a time. */
function neighbourhood(): string | undefined {
  if (process.platform !== 'linux') return machine()
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

/** Two machines may have the same name, but not the same network cards. */
function machine(): string | undefined {
  const cards = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ mac, internal }) => !internal && mac !== '00:00:00:00:00:00')
    .map(({ mac }) => mac)
  return cards.length === 0 ? undefined : [hostname(), ...new Set(cards.sort())].join(' ')
}

function read(name: string): unknown[] {
  try {
    const parts: unknown = parseJson(name)
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

/** True also where nothing can be known of it. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
