/** All scripts, to be loaded into a server before the first of them is used. */

import { BEGIN } from './begin.ts'
import { CHANGE_HOLD } from './calls/change-hold.ts'
import { ERASE_CALLS } from './calls/erase-calls.ts'
import { FIND_ERASABLE_CALLS } from './calls/find-erasable-calls.ts'
import { FIND_RESULT } from './calls/find-result.ts'
import { HISTORY } from './calls/history.ts'
import { END_DELIVERY } from './deliveries/end-delivery.ts'
import { LIST_DELIVERIES } from './deliveries/list-deliveries.ts'
import { TAKE_DELIVERIES } from './deliveries/take-deliveries.ts'
import { FIND_GRANTS } from './grants/find-grants.ts'
import { REVOKE_GRANT } from './grants/revoke-grant.ts'
import { APPEND_ENTRY } from './journal/append-entry.ts'
import { READ_FEED } from './journal/read-feed.ts'
import { LIST_LEASES } from './leases/list-leases.ts'
import { RELEASE_LEASE } from './leases/release-lease.ts'
import { TAKE_LEASE } from './leases/take-lease.ts'
import { PAGE } from './page.ts'
import { CREATE_TOKEN } from './people/create-token.ts'
import { EXCHANGE_TOKEN } from './people/exchange-token.ts'
import { LEAVE_PRESENCE } from './people/leave-presence.ts'
import { LIST_PRESENCE } from './people/list-presence.ts'
import { RENEW_PRESENCE } from './people/renew-presence.ts'
import { REVOKE_TOKEN } from './people/revoke-token.ts'
import type { LuaScript } from './pieces/script.ts'
import { CHANGE_RECORDS } from './records/change-records.ts'
import { FIND_RECORD } from './records/find-record.ts'
import { LIST_RECORDS } from './records/list-records.ts'
import { LIST_DUE } from './requests/list-due.ts'
import { LOOKUP } from './requests/lookup.ts'
import { OPEN } from './requests/open.ts'
import { RECORD } from './requests/record.ts'
import { RECORD_ALL } from './requests/record-all.ts'
import { TRANSITION } from './requests/transition.ts'
import { APPEND_TURN } from './sessions/append-turn.ts'
import { END_SESSIONS } from './sessions/end-sessions.ts'
import { ERASE_TURNS } from './sessions/erase-turns.ts'
import { FIND_ERASABLE_TURNS } from './sessions/find-erasable-turns.ts'
import { SET_MODE } from './sessions/set-mode.ts'
import { SET_SETTING } from './sessions/set-setting.ts'

export const ALL_SCRIPTS: readonly LuaScript[] = [
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
