/** A request as the fields of its hash. What scripts look at has a field of its own; the rest is one text. */

import { defined } from '../../../core/defined.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import type { Request, RequestDraft, RequestState } from '../../../core/request.ts'
import type { VerdictKind } from '../../../core/verdict.ts'
import type { RedisReply } from '../database/link.ts'
import { toFieldMap } from '../database/server-facts.ts'

type RequestFields = 'id' | 'session' | 'submittedBy' | 'digest' | 'because' | 'bytes' | 'commitmentKey'

export function restOf(draft: RequestDraft): string {
  const { id: _id, session: _session, submittedBy: _by, digest: _digest, because: _because, ...more } = draft
  const { bytes: _bytes, commitmentKey: _key, ...rest } = more
  return JSON.stringify(rest satisfies Omit<RequestDraft, RequestFields>)
}

/** Undefined where there is no such hash. */
export function toRequest(id: string, reply: RedisReply | undefined): Request | undefined {
  const fields = toFieldMap(reply)
  if (fields.size === 0) return undefined
  const text = (name: string) => fields.get(name) ?? ''
  return {
    ...parseJson<Omit<RequestDraft, RequestFields>>(text('rest')),
    id,
    session: text('session'),
    submittedBy: text('subject'),
    digest: text('digest'),
    because: text('because'),
    bytes: text('bytes'),
    commitmentKey: text('key'),
    state: text('state') as RequestState,
    version: Number(text('version')),
    createdAt: Number(text('createdAt')),
    deadline: text('deadline') === '' ? null : Number(text('deadline')),
    progress: parseJson<Request['progress']>(text('progress')),
  }
}

/** What is known of a call id, as scripts tell it. */
export function toKnown(reply: RedisReply | undefined): {
  digest: string
  verdict: VerdictKind
  because: string
  request?: string
} {
  const [digest, verdict, because, request] = reply as string[]
  return { digest: digest!, verdict: verdict as VerdictKind, because: because!, ...defined({ request }) }
}
