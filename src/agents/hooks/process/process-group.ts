/**
 * A hook leads a process group of its own, so that whatever it has started can be ended with it. What has left the group (a
 * daemon in a session of its own) is out of reach.
 */

/** False when nobody is left in it. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
    return true
  } catch (error) {
    // Someone is there who became another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** SIGTERM, and SIGKILL for those who are still there after the time. */
export async function endGroup(pid: number, graceMs: number): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM')) return
  // A stopped process gets a signal only once it goes on.
  signalGroup(pid, 'SIGCONT')
  if (await isGone(pid, graceMs)) return
  signalGroup(pid, 'SIGKILL')
  await isGone(pid, KILL_MS)
}

/** Nobody survives it, but a zombie counts until someone has asked after it. */
const KILL_MS = 500
const LOOK_MS = 10

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += LOOK_MS) {
    if (!signalGroup(pid, 0)) return true
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return !signalGroup(pid, 0)
}
