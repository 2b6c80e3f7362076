/**
 * When a process was begun, in a form that tells it from every other that had or will have its number: on this machine since it was
 * started, and in this container.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/** Undefined where there is no such process, or where that can't be told. */
export function birthOf(pid: number): string | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  try {
    if (process.platform === 'linux') return linuxBirth(pid)
    if (process.platform === 'win32') return undefined
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    return started === '' ? undefined : started
  } catch {
    return undefined
  }
}

function linuxBirth(pid: number): string | undefined {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  const started = startOf(pid)
  return started === undefined ? undefined : `${boot} ${readlinkSync('/proc/self/ns/pid')} ${started}`
}

/** In ticks since the machine was started. A process that is dead and was not collected has none. */
function startOf(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The second member is the program's name in brackets, with whatever it holds; the state is the third, the start the 22nd.
  const members = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return members[0] === 'Z' || members[0] === 'X' ? undefined : members[19]
}
