/** One session, and of a coding session how far it is, while somebody looks at it. */
import { type ClientError, isClientError, type WireSession } from '../../../../src/client/index.ts'
import { useLoaded } from '../../components/use-loaded.ts'
import { useInbox } from '../../context/context.ts'
import { isAtWork, isCoding, type SeenProgress } from './model/session-board.ts'
import { useRegularLook } from './use-regular-look.ts'

export interface SessionOnPage {
  /** Undefined until it is here. */
  session: WireSession | undefined
  /** Of a coding session. */
  seen: SeenProgress | undefined
  /** There is none of that name for this person. */
  isMissing: boolean
  failure: ClientError | undefined
  refresh(): void
}

export function useOpenedSession(id: string): SessionOnPage {
  const { client } = useInbox()
  const { value, error, again } = useLoaded(
    id,
    async (signal) => {
      const session = await client.session(id, { signal })
      if (!isCoding(session)) return { session }
      const seen = { progress: await client.progress(id, { signal }), at: Date.now() }
      return { session, seen }
    },
    { keep: true },
  )
  const session = value?.session
  useRegularLook({
    isActive: () => session !== undefined && isCoding(session) && isAtWork(session),
    look: again,
  })
  const isMissing = error !== undefined && isClientError(error, 'unknown_id')
  return {
    session,
    seen: value?.seen,
    isMissing,
    failure: isMissing ? undefined : error,
    refresh: again,
  }
}
