/**
 * Where in `banksman.yaml` the policy stands: under `policy:`, or as another program's block under that program's own
 * key, which is read as it is.
 */
import { sayInEnglish } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { type Dialect, importDetected } from '../../policy/dialects/detect-dialect.ts'
import type { Note } from '../../policy/dialects/imported.ts'
import type { PolicyWarning } from '../../policy/policy.ts'

const DIALECT_OF: Readonly<Record<string, Dialect>> = {
  toolApproval: 'librechat',
  permissions: 'claude-code',
  toolApprovalMode: 'react-plus',
}

/** The keys of which there may be one. */
export const POLICY_KEYS: readonly string[] = ['policy', ...Object.keys(DIALECT_OF)]

export interface PolicySource {
  policyBlock: unknown
  /** The key it was read from, as a JSON pointer. */
  pointerPrefix: string
  /** What another program's block says that is different here. Their pointers are from the top of the file. */
  warnings: PolicyWarning[]
  /** Where in the file that stands which stands at this place in the block. */
  sourcePointer(pointer: string): string
}

/** The pointer of an error that it throws is from the top of the file. */
export function readPolicySource(file: Readonly<Record<string, unknown>>): PolicySource {
  const [key = 'policy', other] = POLICY_KEYS.filter((name) => file[name] !== undefined)
  if (other !== undefined) {
    const reason = reasonOf('wrong.two-policies', { key, other })
    throw reasonedError('invalid_policy', reason, { pointer: `/${other}` })
  }
  const pointerPrefix = `/${key}`
  const dialect = DIALECT_OF[key]
  if (dialect === undefined) {
    return {
      policyBlock: file.policy ?? {},
      pointerPrefix,
      warnings: [],
      sourcePointer: (pointer) => pointerPrefix + pointer,
    }
  }
  const { block, notes, origins } = importDetected({ dialect, pointer: pointerPrefix, value: file[key] })
  return {
    policyBlock: block,
    pointerPrefix,
    warnings: notes.map(warningOf),
    // What differs here is noted with its place in the file already.
    sourcePointer: (pointer) =>
      pointer.startsWith(`${pointerPrefix}/`) ? pointer : (origin(origins, pointer) ?? pointerPrefix),
  }
}

function warningOf({ pointer, effect, reason: about }: Note): PolicyWarning {
  const reason = reasonOf(`import.${effect}`, { about })
  return { pointer, message: sayInEnglish(reason), reason }
}

/** The nearest thing around it that was read from somewhere. */
function origin(origins: Readonly<Record<string, string>>, pointer: string): string | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    if (Object.hasOwn(origins, at)) return origins[at]
  }
  return undefined
}
