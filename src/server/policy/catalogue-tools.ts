/** The tools that a configuration's policy knows, and which argument each is mainly about. */
import { defined } from '../../core/defined.ts'
import { type Catalogue, compileCatalogue } from '../../policy/tools/catalogue.ts'
import { checkTools } from '../../policy/tools/check-tools.ts'
import type { Configuration } from '../configuration/configuration.ts'

export interface CatalogueTool {
  name: string
  kind?: string
  /** Its command, its path or its address, by name. */
  argument?: string
}

/** Those of the configuration first, then those that are built in. */
export function catalogueTools({ tools }: Pick<Configuration, 'tools'>): CatalogueTool[] {
  const own = checkTools(tools)
  const catalogue = compileCatalogue(own)
  const names = catalogue.names.toSorted(
    (one, other) => Number(Object.hasOwn(own, other)) - Number(Object.hasOwn(own, one)),
  )
  return names.map((name) => {
    const kind = catalogue.find(name)?.kind
    const argument = argumentOf(catalogue, name)
    return { name, ...defined({ kind, argument }) }
  })
}

/** The argument that a tool is mainly about: its command, its path or its address. */
export function mainArgument({ tools }: Pick<Configuration, 'tools'>, tool: string): string | undefined {
  return argumentOf(compileCatalogue(checkTools(tools)), tool)
}

function argumentOf(catalogue: Catalogue, tool: string): string | undefined {
  const entry = catalogue.find(tool)
  const pointer = entry?.command ?? entry?.paths[0] ?? entry?.urls[0]
  return pointer?.match(/^\/([^/~*]+)$/)?.[1]
}
