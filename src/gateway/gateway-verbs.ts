/** The verbs of a gateway, as types: for whoever uses one without building it. */
import type { ToolCall } from '../core/call.ts'
import type { Actor } from '../core/session.ts'
import type { Judgement, JudgeOptions } from '../guard/contract.ts'
import type { Presence } from '../stores/store.ts'
import type { AccountLinks } from './access/account-links.ts'
import type { FindPerson } from './access/find-person.ts'
import type { HookSightings } from './access/hook-sightings.ts'
import type { LinkingVerbs } from './access/linking.ts'
import type { McpPins } from './access/mcp-pins.ts'
import type { McpStates } from './access/mcp-states.ts'
import type { OwnAccounts } from './access/own-accounts.ts'
import type { QuietHoursVerbs } from './access/quiet-hours.ts'
import type { RotatingVerbs } from './access/revoke-tokens.ts'
import type { TestCards } from './access/test-cards.ts'
import type { TokenValidity } from './access/token-validity.ts'
import type { CredentialVerbs } from './access/tokens.ts'
import type { DecideVerb } from './deciding/decide.ts'
import type { DecideAllVerb } from './deciding/decide-all.ts'
import type { PendingInSessionVerb } from './deciding/pending-in-session.ts'
import type { ResumeVerb } from './deciding/resume.ts'
import type { GatewayGrantVerbs } from './grants/grant-verbs.ts'
import type { SuggestionsVerb } from './grants/suggestions.ts'
import type { AsActor, GuardVerbs } from './guarding/guard.ts'
import type { HandOverVerb } from './guarding/hand-over.ts'
import type { HandedOverVerbs } from './guarding/handed-over-calls.ts'
import type { PolicyVerbs } from './judging/policy-verbs.ts'
import type { CancelVerb } from './lifecycle/cancel.ts'
import type { ClaimVerbs } from './lifecycle/claim.ts'
import type { InterceptVerb } from './lifecycle/intercept.ts'
import type { ReviewVerb } from './lifecycle/review.ts'
import type { StartAfreshVerb } from './lifecycle/start-afresh.ts'
import type { WaitVerb } from './lifecycle/wait.ts'
import type { GatewayLeases } from './live/leases.ts'
import type { SharedReads } from './live/shared-reads.ts'
import type { WatchEvent, WatchOptions } from './live/watch.ts'
import type { HistoryVerbs } from './reading/history.ts'
import type { PreviewEditVerb } from './reading/preview-edit.ts'
import type { ReplayVerb } from './reading/replay.ts'
import type { ViewVerb } from './reading/view.ts'
import type { ReadVerbs } from './requests/read-requests.ts'
import type { SessionSightings } from './sessions/session-sightings.ts'
import type { GatewaySessionVerbs } from './sessions/session-verbs.ts'
import type { TurnLogVerbs } from './sessions/turn-log.ts'

export interface Gateway
  extends GuardVerbs,
    HandedOverVerbs,
    ClaimVerbs,
    ReadVerbs,
    PolicyVerbs,
    GatewayGrantVerbs,
    GatewaySessionVerbs {
  /** Whose calls `guard` makes where it is not told otherwise: for `review`, `claim` and `get` of the same calls. */
  readonly self: Actor
  /** The namespace this gateway serves. */
  readonly namespace: string
  readonly tokens: Omit<CredentialVerbs, 'revoke'> & RotatingVerbs & Pick<TokenValidity, 'follow'>
  /** When hooks of coding agents were last heard of. */
  readonly hookSightings: HookSightings
  /** When sessions were last heard from outside, and in which folder. */
  readonly sessionSightings: SessionSightings
  readonly mcpPins: McpPins
  readonly mcpStates: McpStates
  readonly history: HistoryVerbs
  /** What an agent of ours keeps of its conversations. */
  readonly turns: TurnLogVerbs
  /** What one of several processes on a store does for all of them. */
  readonly leases: GatewayLeases
  /** What another policy would have said of the calls on record. People only. */
  replay: ReplayVerb
  review: ReviewVerb
  /** Reviews, waits and claims for somebody who runs the call and can't be asked afterwards. */
  handOver: HandOverVerb
  /** A hook's word on a call, in people's place: no, or the result. */
  intercept: InterceptVerb
  wait: WaitVerb
  /** Who acts, as they are known now. Throws `unlinked_account` for an account of nobody. */
  findPerson: FindPerson
  /** Links between people and their accounts at other services. */
  readonly accounts: AccountLinks & {
    /** The accounts of people, as they see them. */
    readonly own: OwnAccounts
    /** How a person makes a link. */
    readonly linking: LinkingVerbs
    /** Test cards. */
    readonly tests: TestCards
  }
  readonly quietHours: QuietHoursVerbs
  decide: DecideVerb
  /** Several at once, all or none. */
  decideAll: DecideAllVerb
  /** All that waits for people in a session and in what it started. */
  waiting: PendingInSessionVerb
  /** Decides all that waits in a session in one go. */
  resume: ResumeVerb
  suggestions: SuggestionsVerb
  /** All that is needed to decide one request. People only. */
  view: ViewVerb
  /** What an edit would be, and what the policy would say of it. Nothing is recorded. */
  previewEdit: PreviewEditVerb
  cancel: CancelVerb
  /** Ends all that the store says somebody may do. */
  startAfresh: StartAfreshVerb
  /** Brings everything that is due past its deadline. Runs by itself; call it to not wait for that. */
  expire(): Promise<number>
  watch(options?: WatchOptions): AsyncGenerator<WatchEvent, void>
  /** The request that an entry of `watch` tells of, read once for everybody who watches. */
  readChanged: SharedReads['read']
  /** What would happen to the call now. Nothing is recorded of it but that somebody asked; nobody is asked. */
  judge(call: ToolCall<object>, options?: JudgeOptions & Pick<AsActor, 'as'>): Promise<Judgement>
  arrive(presence: Presence): Promise<{ leave(): void }>
  /** Resolves when all that nobody waited for is written. */
  flush(): Promise<void>
  close(): Promise<void>
}
