/** All scripts, to be loaded into a server before the first of them is used. */
import { APPEND_ENTRY } from './append-entry.ts'
import { APPEND_TURN } from './append-turn.ts'
import { BEGIN } from './begin.ts'
import { CHANGE_HOLD } from './change-hold.ts'
import { CHANGE_RECORDS } from './change-records.ts'
import { CREATE_TOKEN } from './create-token.ts'
import { END_DELIVERY } from './end-delivery.ts'
import { END_SESSIONS } from './end-sessions.ts'
import { ERASE_CALLS } from './erase-calls.ts'
import { ERASE_TURNS } from './erase-turns.ts'
import { EXCHANGE_TOKEN } from './exchange-token.ts'
import { FIND_ERASABLE_CALLS } from './find-erasable-calls.ts'
import { FIND_ERASABLE_TURNS } from './find-erasable-turns.ts'
import { FIND_GRANTS } from './find-grants.ts'
import { FIND_RECORD } from './find-record.ts'
import { FIND_RESULT } from './find-result.ts'
import { HISTORY } from './history.ts'
import { LEAVE_PRESENCE } from './leave-presence.ts'
import { LIST_DELIVERIES } from './list-deliveries.ts'
import { LIST_DUE } from './list-due.ts'
import { LIST_LEASES } from './list-leases.ts'
import { LIST_PRESENCE } from './list-presence.ts'
import { LIST_RECORDS } from './list-records.ts'
import { LOOKUP } from './lookup.ts'
import { OPEN } from './open.ts'
import { PAGE } from './page.ts'
import { READ_FEED } from './read-feed.ts'
import { RECORD } from './record.ts'
import { RECORD_ALL } from './record-all.ts'
import { RELEASE_LEASE } from './release-lease.ts'
import { RENEW_PRESENCE } from './renew-presence.ts'
import { REVOKE_GRANT } from './revoke-grant.ts'
import { REVOKE_TOKEN } from './revoke-token.ts'
import type { Script } from './script.ts'
import { SET_MODE } from './set-mode.ts'
import { SET_SETTING } from './set-setting.ts'
import { TAKE_DELIVERIES } from './take-deliveries.ts'
import { TAKE_LEASE } from './take-lease.ts'
import { TRANSITION } from './transition.ts'

export const EVERY_SCRIPT: readonly Script[] = [
  APPEND_ENTRY,
  APPEND_TURN,
  BEGIN,
  CHANGE_HOLD,
  CHANGE_RECORDS,
  CREATE_TOKEN,
  END_DELIVERY,
  END_SESSIONS,
  ERASE_CALLS,
  ERASE_TURNS,
  EXCHANGE_TOKEN,
  FIND_ERASABLE_CALLS,
  FIND_ERASABLE_TURNS,
  FIND_GRANTS,
  FIND_RECORD,
  FIND_RESULT,
  HISTORY,
  LEAVE_PRESENCE,
  LIST_DELIVERIES,
  LIST_DUE,
  LIST_LEASES,
  LIST_PRESENCE,
  LIST_RECORDS,
  LOOKUP,
  OPEN,
  PAGE,
  READ_FEED,
  RECORD_ALL,
  RECORD,
  RELEASE_LEASE,
  RENEW_PRESENCE,
  REVOKE_GRANT,
  REVOKE_TOKEN,
  SET_MODE,
  SET_SETTING,
  TAKE_DELIVERIES,
  TAKE_LEASE,
  TRANSITION,
]
