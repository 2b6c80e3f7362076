/** What is written down of a call that nobody was asked about, in the store and in the journal. */

import type { PreparedCall } from '../../core/call.ts'
import type { CallHold } from '../../core/call-hold.ts'
import { defined } from '../../core/defined.ts'
import { commitmentOf } from '../../core/digest.ts'
import { canonicalize, type JsonObject } from '../../core/json/json.ts'
import { mapTexts } from '../../core/reasons/fill-message.ts'
import type { Because, Reason } from '../../core/reasons/reason.ts'
import type { Actor } from '../../core/session.ts'
import type { AllowVerdict, DenyVerdict } from '../../core/verdict.ts'
import { createQuotes } from '../../display/arguments/quote-arguments.ts'
import { summarizeForJournal } from '../../display/arguments/summarize-for-journal.ts'
import { type MaskedArguments, maskArguments } from '../../display/masks/mask.ts'
import type { Policy } from '../../policy/policy.ts'
import type { CallRecord, RecordResult, SessionDraft, Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'

/** A call that is being judged: whose it is, and by which policy. */
export interface JudgingInput {
  call: PreparedCall
  actor: Actor
  policyVersion: string
  /** Who has the call, should nobody be asked about it. */
  hold?: CallHold
  /** The request of the same call that ended without anybody's no. */
  predecessor?: { id: string; count: number }
}

export interface JudgedRecord {
  call: CallRecord
  session: SessionDraft
  /** What the journal says of it, as canonical JSON. */
  text: string
  /** What the store made of it, once it is written. */
  result?: RecordResult
}

export interface CallEntryPorts {
  policy: () => Policy
  store: Pick<Store, 'now'>
  host: Pick<Host, 'random'>
}

/** Masked arguments in the journal are for reading; the bytes themselves are in the store. */
const JOURNAL_CHARACTERS = 4096

export function toJudgedRecord(
  ports: CallEntryPorts,
  judging: JudgingInput,
  verdict: AllowVerdict | DenyVerdict,
): JudgedRecord {
  const { call } = judging
  const record = toCallRecord(ports, judging, verdict)
  return { call: record, session: sessionDraftOf(judging), text: judgedText(ports, call, record) }
}

export function toCallRecord(
  ports: CallEntryPorts,
  { call, actor, policyVersion, hold }: JudgingInput,
  verdict: AllowVerdict | DenyVerdict,
): CallRecord {
  return {
    session: call.session,
    callId: call.callId,
    tool: call.tool,
    digest: call.digest,
    bytes: call.bytes,
    commitmentKey: newCommitmentKey(ports),
    verdict: verdict.kind,
    because: verdict.because,
    ...defined({ reason: verdict.reason, rule: verdict.rule }),
    policyVersion,
    submittedBy: actor.subject,
    createdAt: ports.store.now(),
    ...defined({ hold }),
  }
}

/** What the journal says of a call, each member as canonical JSON. Arguments are masked, and bound by a commitment (P10). */
export function callTexts(
  ports: CallEntryPorts,
  call: PreparedCall,
  { by, because, reason, commitmentKey }: Because & { by: string; commitmentKey: string },
) {
  const masked = maskArguments(call.arguments, ports.policy().knownTool(call))
  const summary = summarizeForJournal(masked, JOURNAL_CHARACTERS)
  const isWhole = summary === call.arguments
  return {
    arguments: isWhole ? call.argumentsText : canonicalize(summary),
    ...becauseTexts({ because, ...defined({ reason }) }, isWhole ? undefined : masked),
    by: JSON.stringify(by),
    callId: JSON.stringify(call.callId),
    commitment: `"${commitmentOf(commitmentKey, call.digest)}"`,
    session: JSON.stringify(call.session),
    tool: JSON.stringify(call.tool),
    ...(call.agent === undefined ? {} : { agent: canonicalize(call.agent) }),
  }
}

/** A reason may quote what is masked in the arguments. `masked`: absent where nothing is masked or cut. */
function becauseTexts({ because, reason }: Because, masked: MaskedArguments | undefined) {
  const quotes = masked === undefined ? undefined : createQuotes(masked)
  const show = (text: string) => (quotes === undefined ? text : quotes(text, JOURNAL_CHARACTERS))
  return {
    because: JSON.stringify(show(because)),
    ...(reason === undefined
      ? {}
      : { reason: canonicalize(toJson(quotes === undefined ? reason : mapTexts(reason, show))) }),
  }
}

function toJson(reason: Reason): JsonObject {
  return reason as unknown as JsonObject
}

export function sessionDraftOf({ call, actor }: JudgingInput): SessionDraft {
  return {
    id: call.session,
    owner: actor.subject,
    ownerRole: actor.role,
    ...defined({ parent: call.parentSession }),
  }
}

export function newCommitmentKey(ports: CallEntryPorts): string {
  return Buffer.from(ports.host.random.bytes(32)).toString('hex')
}

/** Every allowed call passes here, so the canonical JSON is put together by hand: its members in order, by their names. */
function judgedText(ports: CallEntryPorts, call: PreparedCall, record: CallRecord): string {
  const texts = callTexts(ports, call, { ...record, by: record.submittedBy })
  return (
    `{${texts.agent === undefined ? '' : `"agent":${texts.agent},`}"arguments":${texts.arguments},"at":${record.createdAt},` +
    `"because":${texts.because},"by":${texts.by},"callId":${texts.callId},` +
    `"commitment":${texts.commitment},"policy":${JSON.stringify(record.policyVersion)},` +
    `${texts.reason === undefined ? '' : `"reason":${texts.reason},`}"session":${texts.session},` +
    `"tool":${texts.tool},"verdict":"${record.verdict}"}`
  )
}
