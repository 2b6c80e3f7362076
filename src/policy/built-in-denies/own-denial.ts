/** What is said of a call that is denied for what is ours. */

import { told } from '../../core/reasons/english.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { DenyVerdict } from '../../core/verdict.ts'

/** `own files inside`: they lie in what is removed or moved, and a rule of the policy may have more to say of that. */
export type OwnRule = 'own files' | 'own files inside' | 'own address' | 'own program'

export const OWN_FILES_INSIDE = 'built-in: own files inside'

export function ownDenial(rule: OwnRule, why: Reason): DenyVerdict {
  return { kind: 'deny', ...told(reasonOf('deny.own', { why })), rule: `built-in: ${rule}` }
}
