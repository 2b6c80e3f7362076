/** One coding session and how far it is, while somebody looks at it. */
import { type ClientError, isClientError } from '../../../../src/client/index.ts'
import { useLoaded } from '../../components/use-loaded.ts'
import { useInbox } from '../../context/context.ts'
import { type CodingRow, isAtWork, isCoding, type SeenProgress } from './model/session-board.ts'
import { useRegularLook } from './use-regular-look.ts'

export interface OpenedCodingSession {
  /** Undefined until it is here, and where it is none. */
  session: CodingRow | undefined
  seen: SeenProgress | undefined
  /** There is none of that name for this person. */
  isMissing: boolean
  failure: ClientError | undefined
  refresh(): void
}

export function useOpenedSession(id: string): OpenedCodingSession {
  const { client } = useInbox()
  const { value, error, again } = useLoaded(
    id,
    async (signal) => {
      const session = await client.session(id, { signal })
      if (!isCoding(session)) return {}
      const seen = { progress: await client.progress(id, { signal }), at: Date.now() }
      return { session, seen }
    },
    { keep: true },
  )
  const session = value?.session
  useRegularLook({ isActive: () => session !== undefined && isAtWork(session), look: again })
  const isUnknown = error !== undefined && isClientError(error, 'unknown_id')
  return {
    session,
    seen: value?.seen,
    isMissing: isUnknown || (value !== undefined && session === undefined),
    failure: isUnknown ? undefined : error,
    refresh: again,
  }
}
