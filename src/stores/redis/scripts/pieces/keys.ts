/**
 * The names of all keys. Those of a namespace share the hash tag `{prefix:namespace}`, so that a cluster keeps them in one
 * slot and a script may change them together. Scripts are given this table as text: there is no second list of names.
 */
import { BanksmanError } from '../../../../core/errors.ts'

/** A name that ends in a colon is followed by an id. No other name holds one, so no id makes two names meet. */
export const NAMES = {
  /** Nothing: scripts ask for it, and where that is an error the slot is being moved. */
  never: 'never',
  /** Hash: schema, epoch, replication and run id, whether the server was refused, and the counters of calls, of the feed, of fences and of records' versions. */
  meta: 'meta',
  /** Stream: for each entry its chain and number, in the order of the commits. */
  feed: 'feed',
  /** Hash: the last number of each chain. */
  chains: 'chains',
  /** Stream of a chain: its entries, with the ids 1-0, 2-0, … */
  journal: 'journal:',
  /** Hash of a request. */
  request: 'request:',
  /** Sorted sets of requests, members `<sort time><id>`: of a state, of a state and session, of a state and subject. */
  inState: 'state:',
  inSession: 'state-session:',
  ofSubject: 'state-subject:',
  /** Sorted set of live requests that have a deadline, `<deadline><id>`. */
  due: 'due',
  /** Hash of a call by its number; hash of a session's call ids to numbers. */
  call: 'call:',
  callIds: 'call-ids:',
  /** Sorted sets of calls that nobody was asked about, `<number>`: all, and of a session. */
  judged: 'judged',
  judgedIn: 'judged-in:',
  /** Sorted set of calls whose bytes are not erased, `<creation><number>`. */
  kept: 'kept',
  /** Hash of a session; sorted sets `<creation><id>` of all and of an owner; sets of all and of the open sub-sessions. */
  session: 'session:',
  sessions: 'sessions',
  sessionsOf: 'sessions-of:',
  children: 'children:',
  openChildren: 'open-children:',
  /** Hash of a session's turns by their place; sorted sets of unfinished sessions, and of turns `<creation><place><id>`. */
  turns: 'turns:',
  unfinished: 'unfinished',
  keptTurns: 'kept-turns',
  /** Hash of a grant; sorted set of their ids; of a tool's that are neither revoked nor used up, by when they end. */
  grant: 'grant:',
  grants: 'grants',
  grantsFor: 'grants-for:',
  /** Set of tools that ever had a grant. */
  grantedTools: 'granted-tools',
  /** Hash of a token; sorted set of their ids; hash of the hashes of their secrets to ids. */
  token: 'token:',
  tokens: 'tokens',
  secrets: 'secrets',
  /** Of a channel: sorted set of connections by when they end, and hash of what they said. */
  presenceUntil: 'presence-until:',
  presence: 'presence:',
  /** Hash of a delivery, `<length of the request's id>:<request><channel>`; set of a request's channels. */
  delivery: 'delivery:',
  channelsOf: 'channels-of:',
  /** Sorted set of a channel's deliveries that show an older version than their request has, `<due><request>`. */
  waiting: 'waiting:',
  /** Hash of a lease; sorted sets of their names, and of the same by when they end. */
  lease: 'lease:',
  leases: 'leases',
  leasesUntil: 'leases-until',
  /** Hash of results, by `request:<id>` or `call:<number>`. */
  results: 'results',
  /** Hash of a record, `<length of the kind>:<kind><key>`; sorted set of a kind's keys; of all that expire, by when they do. */
  record: 'record:',
  records: 'records:',
  recordsUntil: 'records-until',
  /** Hash of settings. */
  settings: 'settings',
  /** No key: the channel on which changes are told. */
  wake: 'wake',
} as const

export type KeyBuilder = (name: keyof typeof NAMES, id?: string) => string

export function createKeys(prefix: string, namespace: string): KeyBuilder {
  for (const [option, value] of Object.entries({ prefix, namespace })) {
    if (value === '' || /[{}]/.test(value) || (option === 'namespace' && value.includes(':'))) {
      throw new BanksmanError(
        'invalid_configuration',
        `the Redis store can't use the ${option} ${JSON.stringify(value)}: it must not be empty or hold { or }${option === 'namespace' ? ' or :' : ''}, which tell where the name of a key ends`,
      )
    }
  }
  return (name, id = '') => `{${prefix}:${namespace}}:${NAMES[name]}${id}`
}

/** A number as it stands in sorted sets: they compare bytes, so all have the same length. */
export function sortable(value: number): string {
  return String(Math.max(0, Math.floor(value))).padStart(16, '0')
}
