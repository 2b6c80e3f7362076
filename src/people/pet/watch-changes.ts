/**
 * What changes, at whichever process it changed, told to the rooms that are connected to this one. A person may be connected
 * to several processes at once, and what they are asked may come up at another still: a delivery reaches one process, and
 * this reaches all. It is read only while somebody is connected.
 */
import { isBanksmanError } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { ChannelPorts, RequestChange } from '../driver.ts'

export interface ChangeWatcher {
  /** Somebody has connected. */
  follow(): void
  /** The last one has gone. */
  stop(): void
}

export interface ChangeWatcherParts {
  ports: ChannelPorts
  /** One of those who are connected, in whose name it is read. */
  reader(): Actor | undefined
  tell(request: Request): void
  /** Whether it was shown to somebody here, and still waits as far as they know. */
  isShown(request: string): boolean
  /** Something may have been missed. */
  catchUp(): void
}

const RETRY_MS = 1000

export function createChangeWatcher({
  ports,
  reader,
  tell,
  isShown,
  catchUp,
}: ChangeWatcherParts): ChangeWatcher {
  let reading: AbortController | undefined

  async function read(signal: AbortSignal): Promise<void> {
    for await (const change of ports.deciding.watch({ signal })) {
      if (signal.aborted) return
      if (change.kind === 'reset') catchUp()
      else if (concerns(change)) await tellOf(change.entry.request!)
    }
  }

  function concerns({ entry: { type, request, body } }: Extract<RequestChange, { kind: 'change' }>): boolean {
    if (request === undefined) return false
    return isShown(request) || (type === 'request.opened' && body.includes('"session":"pet/'))
  }

  async function tellOf(id: string): Promise<void> {
    const actor = reader()
    if (actor === undefined) return
    try {
      tell(await ports.deciding.get(id, actor))
    } catch (error) {
      if (!isBanksmanError(error, 'unknown_id')) throw error
    }
  }

  function begin(): void {
    const controller = new AbortController()
    reading = controller
    read(controller.signal).catch((error) => {
      if (controller.signal.aborted) return
      ports.report({ doing: 'following what changes for the pet socket', error })
      ports.clock.after(RETRY_MS, () => {
        if (controller.signal.aborted) return
        begin()
        catchUp()
      })
    })
  }

  return {
    follow() {
      if (reading === undefined) begin()
    },
    stop() {
      reading?.abort()
      reading = undefined
    },
  }
}
