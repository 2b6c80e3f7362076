/**
 * What a trusted hook did to the list of tools in a request. It may take tools away and add its own. It may not change the
 * definition of a tool that is not its own: the model would be told one thing and people asked about another.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ModelTool } from '../../models/model.ts'
import { failed, quote } from './hook-failure.ts'
import { MAX_ADDED_TOOLS, type OwnedTool, type ToolOwners } from './tool-owners.ts'

export interface OfferedTools {
  /** The list as it is to be after this hook. */
  replace(hook: string, shown: readonly ModelTool[], given: readonly ModelTool[]): ModelTool[]
  /** Those of the list that hooks have added. */
  added(list: readonly ModelTool[]): OwnedTool[]
}

export interface OfferedToolsOptions {
  session: string
  owners: ToolOwners
  /** As the request came, before any hook: such a name stays taken although a hook takes the tool away. */
  original: readonly ModelTool[]
  /** Names of tools that the request need not list. */
  taken: (tool: string) => boolean
}

export function createOfferedTools({ session, owners, original, taken }: OfferedToolsOptions): OfferedTools {
  const originals = new Set(original.map(({ name }) => name))
  const added = new Map<string, OwnedTool>()

  const checkNew = (hook: string, { name }: ModelTool, owner: string | undefined, isThere: boolean) => {
    if (owner !== undefined)
      throw failed(hook, `it offers a tool ${quote(name)}, which is hook ${quote(owner)}'s`)
    if (isThere || originals.has(name) || taken(name))
      throw failed(hook, `it offers a tool ${quote(name)}, and that name is taken`)
    if (!TOOL_NAME.test(name))
      throw failed(
        hook,
        `it offers a tool ${quote(name)}; such a name has letters, digits, _ and -, at most 64`,
      )
  }

  return {
    replace(hook, shown, given) {
      const before = new Map(shown.map((tool) => [tool.name, tool]))
      const after = new Map<string, ModelTool>()
      for (const tool of given) {
        const { name } = tool
        const known = before.get(name)
        if (known !== undefined && !after.has(name) && isDeepStrictEqual(known, tool)) {
          after.set(name, known)
          continue
        }
        const owner = added.get(name)?.hook ?? owners.of(session, name)
        if (owner === hook && owners.isConfigured(name)) {
          // Its definition is the configuration's, whatever the program says of it again.
          if (known !== undefined) after.set(name, known)
          continue
        }
        if (owner !== hook) checkNew(hook, tool, owner, known !== undefined || after.has(name))
        after.set(name, tool)
        added.set(name, { ...tool, hook })
      }
      if (added.size > MAX_ADDED_TOOLS) throw failed(hook, `it offers more than ${MAX_ADDED_TOOLS} tools`)
      return [...after.values()]
    },
    added: (list) => list.flatMap(({ name }) => added.get(name) ?? []),
  }
}

/** What all model servers take. */
export const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/
