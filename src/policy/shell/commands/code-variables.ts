/** Variables whose value programs and shells run: `EDITOR`, `PAGER`, `GIT_SSH_COMMAND`. */

import type { InnerDoubt } from './inner-command.ts'
import type { DoubtCode } from './why-doubted.ts'

const RUN_BY_PROGRAMS =
  /(?:EDITOR|PAGER|BROWSER|_COMMAND|_RSH|_SSH|ASKPASS|_CONNECT_PROG|EXTERNAL_DIFF|^LESSOPEN|^LESSCLOSE|^VISUAL)$/

/** Shells expand these, and run what stands in `$(…)` there, or the file that is named. */
const EXPANDED = /^(?:PS[0-4]|R?PROMPT)$/
const RUN_BY_SHELLS = 'BASH_ENV'

export interface VariableCode {
  /** What is run, where it is known. */
  readonly script?: string
  readonly doubt?: InnerDoubt
}

const NONE: VariableCode = {}

/** `value`: undefined where it is known only when the line runs. `text` is the assignment as it stands there. */
export function codeOf(name: string, value: string | undefined, text: string): VariableCode {
  const doubt = (why: DoubtCode): VariableCode => ({ doubt: { kind: 'inline code', text, why } })
  if (EXPANDED.test(name)) return /\$\(|`/.test(value ?? '$(') ? doubt('part.variable-code') : NONE
  if (value === '') return NONE
  if (name === RUN_BY_SHELLS) return doubt('part.variable-code')
  if (!RUN_BY_PROGRAMS.test(name)) return NONE
  return value === undefined ? doubt('part.variable-code') : { script: value.replace(/^\|+-?/, '') }
}
