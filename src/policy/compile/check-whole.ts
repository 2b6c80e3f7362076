/** Checks and compiles all that is written in a policy, and tells of every mistake in it at once. */
import { checkTogether, isMistake } from '../../core/support/mistakes.ts'
import { LIST_NAMES } from '../language/language.ts'
import { type CheckedBlock, checkPolicyBlock } from '../language/policy-block.ts'
import { type Catalogue, compileCatalogue } from '../tools/catalogue.ts'
import { checkTools } from '../tools/check-tools.ts'
import type { CompiledLists } from './compile-rules.ts'

export interface WholePolicy {
  checked: CheckedBlock
  catalogue: Catalogue
  /** The lists and rules of the block itself, without those that it extends. */
  lists: CompiledLists
}

type CompileLists = (block: CheckedBlock, catalogue: Catalogue) => CompiledLists

export function checkWhole(block: unknown, tools: unknown, compile: CompileLists): WholePolicy {
  const [checked, catalogue] = checkParts(block, tools, compile)
  return { checked, catalogue, lists: compile(checked, catalogue) }
}

function checkParts(block: unknown, tools: unknown, compile: CompileLists): [CheckedBlock, Catalogue] {
  let catalogue: Catalogue | undefined
  const readTools = () => {
    catalogue = compileCatalogue(checkTools(tools))
    return catalogue
  }
  try {
    return checkTogether(() => checkPolicyBlock(block), readTools)
  } catch (error) {
    if (!isMistake(error)) throw error
    // Which tools there are is not known where `tools:` has a mistake: what names them can't be judged.
    const rest = readable(block, catalogue === undefined ? [] : LIST_NAMES)
    checkTogether(
      () => {
        throw error
      },
      () => compile(rest, catalogue ?? compileCatalogue({})),
    )
    throw error
  }
}

/**
 * The lists and conditions of a block that is refused anyway, as far as they have the right shape. Whatever has not is
 * replaced by something that is always right, so that the others keep their places.
 */
function readable(block: unknown, lists: readonly (typeof LIST_NAMES)[number][]): CheckedBlock {
  const written = (key: string): unknown[] => {
    const list = (block as Record<string, unknown> | null | undefined)?.[key]
    return Array.isArray(list) ? list : []
  }
  const entries = (key: (typeof LIST_NAMES)[number]) =>
    lists.includes(key) ? written(key).map((entry) => (typeof entry === 'string' ? entry : EVERY_TOOL)) : []
  const rules = written('rules').map((rule) => ({
    ...EMPTY_RULE,
    when: (rule as { when?: unknown } | null)?.when ?? { tool: EVERY_TOOL },
  }))
  const found = { deny: entries('deny'), ask: entries('ask'), allow: entries('allow'), rules }
  return { extends: [], mode: undefined, reason: undefined, tests: [], ...found }
}

const EVERY_TOOL = '*'

const EMPTY_RULE: CheckedBlock['rules'][number] = {
  name: 'unnamed',
  when: undefined,
  then: 'deny',
  reason: undefined,
  approvers: undefined,
  quorum: 1,
  expiresInMs: undefined,
  claimWithinMs: undefined,
  allowedDecisions: undefined,
  scopes: undefined,
  severity: undefined,
  widestGrant: undefined,
  askOutcome: undefined,
  chat: undefined,
}
