import type { HostedSession } from '../hosted-session.ts'
import { SessionLost } from '../log/turn-log.ts'
import type { OpenEngines } from '../turns/open-engines.ts'
import type { SessionLeases, TakenLease } from './session-lease.ts'

/** The right to run a turn of the session; an open engine has kept it. */
export async function takeLease(
  { leases, engines }: { leases: SessionLeases; engines: OpenEngines },
  hosted: HostedSession,
  turn: string,
): Promise<TakenLease> {
  const { session } = hosted
  if (hosted.engine === undefined) return { kind: 'theirs', lease: await leases.find(session) }
  await hosted.closing
  const { opened } = hosted
  if (opened?.lease !== undefined) {
    opened.idle?.cancel()
    try {
      await opened.lease.use(turn)
      return { kind: 'ours', lease: opened.lease }
    } catch (error) {
      if (!(error instanceof SessionLost)) throw error
      await engines.close(hosted, 'lost')
    }
  }
  return leases.take(session, turn, () => {
    if (hosted.running === undefined) void engines.close(hosted, 'lost')
    else hosted.running.controller.abort(new SessionLost(session))
  })
}
