/** Drafts that are good enough to be stored; a test overrides what it is about. */
import type { Grant } from '../../core/grants/grant.ts'
import type { RequestDraft } from '../../core/request.ts'
import type { CallRecord, SessionDraft, Token } from '../../stores/store.ts'

/** The store's time when a test begins. */
export const START = 1_700_000_000_000

export const MINUTE = 60_000

export function requestDraft(id: string, over: Partial<RequestDraft> = {}): RequestDraft {
  return {
    id,
    kind: 'approval',
    session: 's1',
    callId: `call-${id}`,
    submittedBy: 'agent-1',
    tool: 'deploy',
    digest: `digest-${id}`,
    bytes: `{"arguments":{"for":"${id}"},"tool":"deploy","v":1}`,
    commitmentKey: `key-${id}`,
    because: 'deploy needs a person',
    terms: {
      conditions: [{ rule: 'deploys', approvers: ['group:sre'], quorum: 1 }],
      allowedDecisions: ['approve', 'edit', 'reject', 'respond', 'terminate'],
      scopes: ['once', 'session'],
      severity: 'normal',
    },
    reach: 'durable',
    policyVersion: 'policy-1',
    expiresInMs: MINUTE,
    ...over,
  }
}

export function sessionDraft(id: string, over: Partial<SessionDraft> = {}): SessionDraft {
  return { id, owner: 'agent-1', ownerRole: 'agent', ...over }
}

export function callRecord(callId: string, over: Partial<CallRecord> = {}): CallRecord {
  return {
    session: 's1',
    callId,
    tool: 'read_file',
    digest: `digest-${callId}`,
    bytes: `{"arguments":{"for":"${callId}"},"tool":"read_file","v":1}`,
    commitmentKey: `key-${callId}`,
    verdict: 'allow',
    because: 'read_* is allowed',
    policyVersion: 'policy-1',
    submittedBy: 'agent-1',
    createdAt: START,
    ...over,
  }
}

export function grantDraft(id: string, over: Partial<Grant> = {}): Grant {
  return {
    id,
    tool: 'deploy',
    definitionDigest: 'definition-1',
    rules: ['deploys'],
    match: { kind: 'exact', digest: 'digest-1' },
    createdAt: START,
    createdBy: 'ana',
    requestId: 'r1',
    uses: 0,
    ...over,
  }
}

export function tokenDraft(id: string, over: Partial<Token> = {}): Token {
  return {
    id,
    secretHash: `hash-${id}`,
    role: 'approver',
    subject: 'ana',
    namespace: 'default',
    createdAt: START,
    createdBy: 'ana',
    use: 'bearer',
    ...over,
  }
}
