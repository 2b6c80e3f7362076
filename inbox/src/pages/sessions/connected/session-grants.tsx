import { FailureNote } from '../../../components/failure-note.tsx'
import { useLoaded } from '../../../components/use-loaded.ts'
import { useThrottledRun } from '../../../components/use-throttled-run.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { now } from '../../../model/browser/now.ts'
import { GrantCard } from '../../grants/grant-card.tsx'
import { grantListOf } from '../../grants/grant-list.ts'
import '../../grants/grants.css'
import { useRevoke } from '../../grants/use-revoke.ts'
import { CONNECTED_WORDS } from './words.ts'

/** The newest; older ones are on the page of all grants. */
const READ = 200

/** What runs in this session without asking because somebody said so. Nothing where there is none. */
export function SessionGrants({ session }: { session: string }) {
  const { client, live } = useInbox()
  const own = useOwnWords(CONNECTED_WORDS)
  const loaded = useLoaded('grants', (signal) => client.grants({ limit: READ }, { signal }))
  const { revoke, revoking, failures } = useRevoke(loaded)
  useThrottledRun(`${live.board.changes.value} ${live.settled.value[0]?.id}`, loaded.again)
  const ofSession = (loaded.value?.items ?? []).filter((grant) => grant.session === session)
  const lines = grantListOf(ofSession, 'live', now.value)
  if (lines.length === 0) return null
  return (
    <section class="connected-grants" aria-labelledby="connected-grants">
      <h3 id="connected-grants">{own.grants}</h3>
      <ul class="cards">
        {lines.map((line) => {
          const failure = failures.get(line.grant.id)
          return (
            <GrantCard
              key={line.grant.id}
              line={line}
              isRevoking={revoking.has(line.grant.id)}
              notice={failure === undefined ? null : <FailureNote error={failure} />}
              revoke={() => void revoke(line.grant)}
            />
          )
        })}
      </ul>
    </section>
  )
}
