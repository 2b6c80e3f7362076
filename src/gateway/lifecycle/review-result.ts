/** What a review comes to, and what its caller may say of the call. */
import type { CallHold } from '../../core/call-hold.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Request } from '../../core/request.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { Can } from '../../guard/contract.ts'
import type { ForcedAsk } from '../judging/forced-ask.ts'
import type { JudgedRecord } from '../record/call-entry.ts'
import type { JoinInput } from './join-request.ts'

export interface Review {
  verdict: Verdict
  /** Where people are asked. */
  request?: Request
  /** Nobody is asked because people have allowed it before. */
  isGranted?: true
  /** The call was known before: it is the same call again, not a new one. */
  repeated: boolean
  /** A copy of the arguments that nobody else holds. */
  arguments: JsonObject
  /** As the call is kept: not the caller's, where it joined an earlier one. */
  callId: string
  digest: string
  /** Of a call that nobody is asked about: what the store made of it, once it is written. */
  record?: Pick<JudgedRecord, 'result'>
  /** Of one that was known before and that nobody was asked about: who has it. */
  hold?: CallHold
}

export interface ReviewOptions {
  /**
   * What the caller does with a call that is allowed. `run`: it runs it at once, and the same call is never let through again.
   * `take`: it takes it under a key. Absent: nothing yet; a `hold` or `guard` of the same call goes on from here.
   */
  allowed?: { kind: 'run' } | { kind: 'take'; key: string } | undefined
  /** Asks anew where the request of the call ended without anybody's no. */
  asksAgain?: boolean | undefined
  can?: Can | undefined
  /** Of a caller whose calls may join earlier ones. */
  join?: JoinInput | undefined
  /** A person is asked, whatever the policy or a grant allows. */
  asks?: ForcedAsk | undefined
  /** Where no rule speaks of the call, it is allowed rather than asked about. */
  allowsUnruled?: boolean | undefined
  /** How long a person has to answer, where no rule says. */
  expiresInMs?: number | undefined
}
