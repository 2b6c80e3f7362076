/**
 * Who and what there is in a world: the policy, the people, the tools. Beside the policy stands what it comes to, written
 * down a second time: the laws go by that, so that they notice where the gateway reads the policy wrongly.
 */

import type { ToolCall } from '../../../src/core/call.ts'
import { defined } from '../../../src/core/defined.ts'
import type { JsonObject } from '../../../src/core/json/json.ts'
import type { Actor } from '../../../src/core/session.ts'
import type { GatewaySettings } from '../../../src/gateway/gateway-parts.ts'
import { compilePolicy, type Policy } from '../../../src/policy/index.ts'
import type { SeededRandom } from './random.ts'
import type { World } from './world.ts'

export const OWNER = 'ana'
export const PEOPLE: ReadonlyMap<string, { groups: readonly string[] }> = new Map([
  ['ana', { groups: [] }],
  ['ben', { groups: ['approvers', 'sre'] }],
  ['cleo', { groups: ['approvers', 'sre'] }],
  ['eve', { groups: [] }],
])

/** Who may decide what a rule asks, and how many of them are needed. */
const APPROVERS: Record<string, { people: string[]; quorum: number }> = {
  mail: { people: ['ana', 'ben', 'cleo'], quorum: 1 },
  deploys: { people: ['ben', 'cleo'], quorum: 1 },
  production: { people: ['ana', 'ben', 'cleo'], quorum: 2 },
  payments: { people: ['cleo'], quorum: 1 },
  questions: { people: ['ana', 'ben', 'cleo'], quorum: 1 },
  nobody: { people: [], quorum: 1 },
}

/** Short enough that all of it comes to pass within a minute. */
export const SETTINGS: GatewaySettings = {
  expiresInMs: 20_000,
  leaseMs: 3_000,
  claimWithinMs: 10 * 60_000,
  runWithinMs: 2 * 60 * 60_000,
  recordWithinMs: 2_000,
  maxPendingPerSession: 3,
  presenceMs: 6_000,
}

let compiled: Policy | undefined

export function worldPolicy(): Policy {
  compiled ??= compilePolicy({
    deny: ['drop_*'],
    allow: ['read_*'],
    rules: [
      { name: 'mail', when: { tool: 'send_mail' }, then: 'ask', expiresIn: '15s' },
      { name: 'deploys', when: { tool: 'deploy' }, then: 'ask', approvers: ['group:sre'], expiresIn: '25s' },
      {
        name: 'production',
        when: { tool: 'deploy', arguments: { '/environment': { equals: 'production' } } },
        then: 'ask',
        approvers: ['owner', 'group:sre'],
        quorum: 2,
      },
      { name: 'payments', when: { tool: 'pay' }, then: 'ask', approvers: ['cleo'], expiresIn: '10s' },
      { name: 'questions', when: { tool: 'ask_user_question' }, then: 'ask' },
      { name: 'nobody', when: { tool: 'launch' }, then: 'ask', approvers: ['group:astronauts'] },
    ],
  })
  return compiled
}

/** The rules that ask about a call. */
export function askingRules(tool: string, args: JsonObject): string[] {
  if (tool === 'send_mail') return ['mail']
  if (tool === 'pay') return ['payments']
  if (tool === 'ask_user_question') return ['questions']
  if (tool === 'launch') return ['nobody']
  if (tool !== 'deploy') return []
  return args.environment === 'production' ? ['deploys', 'production'] : ['deploys']
}

/** Whether the policy lets it run without asking anyone. */
export function isAllowed(tool: string): boolean {
  return tool.startsWith('read_')
}

export function mayDecide(subject: string, rule: string): boolean {
  return APPROVERS[rule]?.people.includes(subject) === true
}

export function quorumOf(rule: string): number {
  return APPROVERS[rule]?.quorum ?? Number.POSITIVE_INFINITY
}

export function personNamed(subject: string): Actor {
  return { subject, role: subject === OWNER ? 'admin' : 'approver', via: 'simulation' }
}

export function agentNamed(subject: string): Actor {
  return { subject, role: 'agent', via: 'simulation' }
}

/** What an agent may come up with. There are few arguments, so that grants are used again and calls look alike. */
export function makeCall({ random, theme }: World, session: SessionPlan, callId: string): ToolCall {
  const tool = random.pick(theme.tools)
  const origin = random.chance(0.2)
    ? { channel: random.pick(['live', 'live', 'live', 'nowhere']) }
    : undefined
  return {
    tool,
    arguments: argumentsFor(random, tool),
    callId,
    session: session.id,
    ...defined({ parentSession: session.parent, origin }),
  }
}

export interface SessionPlan {
  id: string
  agent: string
  parent?: string
}

export const SESSIONS: readonly SessionPlan[] = [
  { id: 'one', agent: 'agent-1' },
  { id: 'two', agent: 'agent-2' },
  { id: 'one-below', agent: 'agent-1', parent: 'one' },
]

export function argumentsFor(random: SeededRandom, tool: string): JsonObject {
  if (tool === 'deploy')
    return { environment: random.pick(['staging', 'production']), at: random.between(1, 2) }
  if (tool === 'pay') return { amount: random.between(1, 3) }
  if (tool === 'ask_user_question') return { questions: [{ id: 'which', question: 'Which one?' }] }
  return { to: random.pick(['x', 'y']) }
}
