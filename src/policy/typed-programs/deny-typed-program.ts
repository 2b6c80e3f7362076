/**
 * Some agents can leave a program running and type into it later, and no hook of theirs sees that: whoever approves `bash` there approves
 * whatever comes. So a call of such an agent that starts a program of this kind is denied, and no rule, grant or person lifts it.
 */

import { told } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { DenyVerdict } from '../../core/verdict.ts'
import { CODING_AGENTS } from '../agent-files/agent-tables.ts'
import { shortCommand } from '../built-in-denies/find-own-in-command.ts'
import type { CallSubject } from '../subject/subject.ts'
import { findWaiting } from './waits-for-typing.ts'

const TYPED_PROGRAM = 'built-in: waits for what is typed'

const TYPING = new Map(
  CODING_AGENTS.flatMap((agent) => (agent.typesUnseen ? [[agent.id, agent] as const] : [])),
)

export function denyTypedProgram({ call, entry, reading }: CallSubject): DenyVerdict | undefined {
  if (entry?.kind !== 'shell' || reading === undefined || call.agent === undefined) return undefined
  const { name, parents = [] } = call.agent
  const agent = [name, ...parents].map((one) => TYPING.get(one)).find((one) => one !== undefined)
  if (agent === undefined) return undefined
  const command = findWaiting(reading.commands)
  if (command === undefined) return undefined
  const reason = reasonOf('deny.typed-program', { command: shortCommand(command), agent: agent.name })
  return { kind: 'deny', ...told(reason), rule: TYPED_PROGRAM }
}
