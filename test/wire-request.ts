/** A request as it goes over the wire, for tests of what reads one. */
import type { WireRequest } from '../src/core/wire.ts'

export function wireRequest(parts: Partial<WireRequest> = {}): WireRequest {
  return {
    id: 'req_1',
    kind: 'approval',
    state: 'pending',
    version: 1,
    digest: 'd1',
    tool: 'Bash',
    arguments: { command: 'ls' },
    masks: [],
    rendering: {
      title: 'Tool call: Bash',
      summary: 'Bash: ls',
      text: 'Tool call: Bash\ncommand:\n  │ ls',
      warnings: [],
    },
    session: 's1',
    callId: 'c1',
    because: 'a person is asked',
    rules: ['ask: "Bash"'],
    severity: 'normal',
    allowedDecisions: ['approve', 'edit', 'reject', 'respond', 'terminate'],
    scopes: ['once', 'session', 'always'],
    approvers: [{ rule: 'ask: "Bash"', approvers: ['owner'], quorum: 1 }],
    votes: [],
    submittedBy: 'agent-1',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-01T01:00:00.000Z',
    yours: true,
    ...parts,
  }
}
