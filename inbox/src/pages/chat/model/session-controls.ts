/** What people do with a session besides reading it: its mode, a stop, its end. What failed is shown until the next try. */
import { type ReadonlySignal, signal } from '@preact/signals'
import {
  ClientError,
  isClientError,
  type ServerCalls,
  type WireSession,
} from '../../../../../src/client/index.ts'
import type { InterruptionKind } from '../../../../../src/core/conversation.ts'

/** What was tried here and failed. */
export interface FailedAction {
  what: 'say' | 'stop' | 'mode' | 'end' | 'close'
  error: ClientError
}

export interface SessionControls {
  readonly about: ReadonlySignal<WireSession | undefined>
  /** Who set the mode and when, where that was seen from here. */
  readonly modeSet: ReadonlySignal<{ by: string; at: number } | undefined>
  readonly mishap: ReadonlySignal<FailedAction | undefined>
  /** True when it worked. */
  attempt(what: FailedAction['what'], work: () => Promise<void>): Promise<boolean>
  stop(how: InterruptionKind): Promise<boolean>
  setMode(mode: string): Promise<boolean>
  end(): Promise<boolean>
  /** Looks again who changed what in the session. */
  refresh(): Promise<void>
}

export interface SessionControlsParts {
  client: Pick<ServerCalls, 'session' | 'stopSession' | 'setMode' | 'endSession'>
  session: string
  /** Who acts here. */
  subject: string
  closed: AbortSignal
  onRefused: (error: ClientError) => void
}

export function createSessionControls(parts: SessionControlsParts): SessionControls {
  const { client, session, subject, closed, onRefused } = parts
  const about = signal<WireSession | undefined>(undefined)
  const modeSet = signal<{ by: string; at: number } | undefined>(undefined)
  const mishap = signal<FailedAction | undefined>(undefined)

  async function attempt(what: FailedAction['what'], work: () => Promise<void>): Promise<boolean> {
    mishap.value = undefined
    try {
      await work()
      return true
    } catch (error) {
      if (closed.aborted) return false
      if (!(error instanceof ClientError)) throw error
      if (isClientError(error, 'unauthenticated')) onRefused(error)
      else mishap.value = { what, error }
      return false
    }
  }

  return {
    about,
    modeSet,
    mishap,
    attempt,
    stop: (how) =>
      attempt('stop', async () => void (await client.stopSession(session, { how }, { signal: closed }))),
    setMode: (mode) =>
      attempt('mode', async () => {
        about.value = await client.setMode(session, mode, { signal: closed })
        modeSet.value = { by: subject, at: Date.now() }
      }),
    end: () =>
      attempt('end', async () => {
        about.value = await client.endSession(session, {}, { signal: closed })
      }),
    async refresh() {
      try {
        const before = about.peek()?.mode
        const now = await client.session(session, { signal: closed })
        about.value = now
        // Somebody else has changed it since.
        if (before !== now.mode) modeSet.value = undefined
      } catch (error) {
        if (!closed.aborted && !(error instanceof ClientError)) throw error
      }
    },
  }
}
