/**
 * Lets a call through that the policy would ask about, where people have allowed it before. The policy says which
 * grants answer all that asks; their uses are consumed in the same transaction as the record of the call, so whoever
 * loses the last use is asked.
 */

import { definitionDigest } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { Grant } from '../../core/grants/grant.ts'
import { canonicalize } from '../../core/json/json.ts'
import { told } from '../../core/reasons/english.ts'
import { toldOf } from '../../core/reasons/reason.ts'
import type { Session } from '../../core/session.ts'
import { type AllowVerdict, type AskVerdict, conditionKey, type Facts } from '../../core/verdict.ts'
import type { EvaluationContext, Policy } from '../../policy/policy.ts'
import type { RecordResult, Store } from '../../stores/store.ts'
import {
  type CallEntryPorts,
  callTexts,
  type JudgingInput,
  sessionDraftOf,
  toCallRecord,
} from '../record/call-entry.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import { grantReason } from './grant-sentence.ts'

export interface CallToCover extends JudgingInput {
  /** The one whose verdict it is. */
  policy: Policy
  verdict: AskVerdict
  facts: Facts | undefined
  context: EvaluationContext
  session: Session | undefined
  /** Called when grants answer all that asks, before that is recorded. */
  letThrough?: () => Promise<void>
}

export type GrantUse =
  | { kind: 'used'; verdict: AllowVerdict }
  /** People have to be asked. */
  | { kind: 'none' }
  | Extract<RecordResult, { kind: 'existing' }>
  | { kind: 'refused'; code: 'session_ended' | 'not_yours' }

/** Each further try has fewer grants to begin with; so many that are lost in a row are a crowd, and people are asked. */
const MAX_TRIES = 10
/** Deeper than agents nest. A longer chain of parents is not followed to its end. */
const MAX_ANCESTORS = 32

export interface GrantUses {
  use(asked: CallToCover): Promise<GrantUse>
  /** Whether grants would let the call through now. None is used up. */
  isCovered(asked: CallToCover): Promise<boolean>
}

export interface GrantUsesPorts extends CallEntryPorts {
  store: Pick<Store, 'grants' | 'now' | 'record' | 'sessions'>
  journal: JournalWriter
}

export function createGrantUses(ports: GrantUsesPorts): GrantUses {
  const { store } = ports

  async function findCovering(asked: CallToCover, sessions: string[]): Promise<Grant[] | undefined> {
    const found = await store.grants.find({ tool: asked.call.tool, sessions })
    const ours = found.filter((grant) => isFor(grant, asked))
    return covering(asked, ours)
  }

  return {
    async use(asked) {
      const sessions = [asked.call.session, ...(await ancestorsOf(store, asked))]
      for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
        const grants = await findCovering(asked, sessions)
        if (grants === undefined) break
        await asked.letThrough?.()
        const result = await consume(ports, asked, grants)
        if (result.kind !== 'spent') return result
      }
      return { kind: 'none' }
    },
    async isCovered(asked) {
      const sessions = [asked.call.session, ...(await ancestorsOf(store, asked))]
      return (await findCovering(asked, sessions)) !== undefined
    },
  }
}

/**
 * The sessions that started this one, nearest first. Lineage is an agent's own word, and a session may name a parent
 * before there is one: it is followed only through sessions that are this agent's own and have not ended.
 */
async function ancestorsOf(
  store: Pick<Store, 'sessions'>,
  { call, actor, session }: CallToCover,
): Promise<string[]> {
  const found = new Set<string>()
  let id = session === undefined ? call.parentSession : session.parent
  while (id !== undefined && id !== call.session && !found.has(id) && found.size < MAX_ANCESTORS) {
    const parent = await store.sessions.get(id)
    if (parent === undefined || parent.owner !== actor.subject || parent.ended !== undefined) break
    found.add(id)
    id = parent.parent
  }
  return [...found]
}

function isFor(grant: Grant, { call }: CallToCover): boolean {
  if (grant.tool !== call.tool || grant.definitionDigest !== definitionDigest(call.definition)) return false
  return grant.session === undefined || grant.session === call.session || grant.includeSubSessions === true
}

/** The policy's word is checked: every rule that asks must have been answered by a person. */
function covering(
  { call, policy, verdict, facts, context }: CallToCover,
  grants: readonly Grant[],
): Grant[] | undefined {
  if (grants.length === 0) return undefined
  const chosen = policy.cover(call, call.digest, grants, facts, context)
  if (chosen === undefined || !chosen.every((grant) => grants.includes(grant))) return undefined
  const answered = new Set(chosen.flatMap((grant) => grant.rules))
  const isAnswered = verdict.terms.conditions.every((condition) => answered.has(conditionKey(condition)))
  return isAnswered && chosen.length > 0 ? chosen : undefined
}

/** `spent`: one of them was lost to another call, revoked or over in the meantime, and the others may do. */
async function consume(
  ports: GrantUsesPorts,
  asked: CallToCover,
  grants: readonly Grant[],
): Promise<Exclude<GrantUse, { kind: 'none' }> | { kind: 'spent' }> {
  const { call, actor, policyVersion, predecessor } = asked
  const ids = grants.map((grant) => grant.id)
  const verdict: AllowVerdict = {
    kind: 'allow',
    ...told(grantReason(grants, call.session)),
    rule: `${ids.length === 1 ? 'grant' : 'grants'} ${ids.join(', ')}`,
  }
  const record = toCallRecord(ports, asked, verdict)
  const entry = ports.journal.draftTexts('grant.used', record.createdAt, {
    ...callTexts(ports, call, {
      ...toldOf(verdict),
      by: actor.subject,
      commitmentKey: record.commitmentKey,
    }),
    policy: JSON.stringify(policyVersion),
    grants: canonicalize(ids),
  })
  const result = await ports.store.record({
    call: record,
    session: sessionDraftOf(asked),
    entry,
    consume: ids,
    ...defined({ succeeds: predecessor?.id }),
  })
  if (result.kind === 'recorded') return { kind: 'used', verdict }
  if (result.kind === 'existing') return result
  return result.code === 'grant_spent' ? { kind: 'spent' } : { kind: 'refused', code: result.code }
}
