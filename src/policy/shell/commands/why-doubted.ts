/** What about a part of a line can't be checked: a message about its text, or a reason that is made of it. */

import type { Reason } from '../../../core/reasons/reason.ts'
import type { CodeWith } from '../../../core/reasons/reason-of.ts'

export type DoubtCode = CodeWith<'text'>

export type WhyDoubted = DoubtCode | ((text: string) => Reason)
