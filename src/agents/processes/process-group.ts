/**
 * A program that we start leads a process group of its own, so that whatever it has started can be ended with it: asked
 * first, by force after a grace. What has left the group (a daemon in a session of its own) is out of reach.
 */
import { readdir, readFile } from 'node:fs/promises'

/** Resolves when nobody in it runs any more, or when not even force has helped within the grace. */
export async function endProcessGroup(leader: number, graceMs: number): Promise<void> {
  if (!signalGroup(leader, 'SIGTERM')) return
  // A stopped process gets a signal only once it goes on.
  signalGroup(leader, 'SIGCONT')
  if (await untilGone(leader, graceMs)) return
  signalGroup(leader, 'SIGKILL')
  await untilGone(leader, graceMs)
}

/** The group, and those of all that its leader has started: a program may put what it runs into groups of their own. */
export async function endProcessTree(leader: number, graceMs: number): Promise<void> {
  const groups = await groupsBelow(leader)
  await endProcessGroup(leader, graceMs)
  await Promise.all(groups.map((group) => endProcessGroup(group, graceMs)))
}

/** False when nobody is left in it. As long as someone is, the system gives its number to nobody else. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, signal)
    return true
  } catch (error) {
    // Someone is there who has become another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const FIRST_LOOK_MS = 5
const LAST_LOOK_MS = 100

async function untilGone(leader: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  for (let ms = FIRST_LOOK_MS; ; ms = Math.min(2 * ms, LAST_LOOK_MS)) {
    if (!signalGroup(leader, 0) || !(await isAnyoneRunning(leader))) return true
    const left = until - performance.now()
    if (left <= 0) return false
    await new Promise((resolve) => setTimeout(resolve, Math.min(ms, left)))
  }
}

/** The dead stay in a group until they are collected, which in a container may be never. */
async function isAnyoneRunning(leader: number): Promise<boolean> {
  const processes = await runningProcesses()
  // Where that can't be looked at, the system's word counts.
  return processes === undefined || processes.some(({ group }) => group === leader)
}

/** Those that aren't its own, of what it has started and what that has. None where that can't be looked at. */
async function groupsBelow(leader: number): Promise<number[]> {
  const processes = (await runningProcesses()) ?? []
  const below = new Set([leader])
  // A parent's number may be higher than its child's.
  for (let known = 0; known < below.size; ) {
    known = below.size
    for (const { id, parent } of processes) if (below.has(parent)) below.add(id)
  }
  const groups = processes.flatMap(({ id, group }) => (below.has(id) && below.has(group) ? [group] : []))
  return [...new Set(groups)].filter((group) => group !== leader)
}

interface RunningProcess {
  id: number
  parent: number
  group: number
}

async function runningProcesses(): Promise<RunningProcess[] | undefined> {
  const ids = await readdir('/proc').catch(() => undefined)
  if (ids === undefined || process.platform !== 'linux') return undefined
  const found: RunningProcess[] = []
  for (const id of ids) {
    if (!/^\d+$/.test(id)) continue
    const line = await readFile(`/proc/${id}/stat`, 'latin1').catch(() => '')
    // The name may hold spaces and brackets: state, parent and group come after its last bracket.
    const [state, parent, group] = line.slice(line.lastIndexOf(')') + 2).split(' ')
    if (line !== '' && state !== 'Z' && state !== 'X')
      found.push({ id: Number(id), parent: Number(parent), group: Number(group) })
  }
  return found
}
