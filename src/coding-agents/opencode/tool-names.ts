/**
 * opencode's own tools under the names that the policy's catalogue has for the same ones, there and back. Every other tool gets a name
 * of its own: opencode calls an MCP tool `server_tool`, and nobody must get one past the policy by calling a server `read`.
 */
import type { JsonObject } from '../../core/json/json.ts'

interface SameTool {
  tool: string
  /** Its arguments that are called something else here. */
  renamed: Readonly<Record<string, string>>
}

const file = { filePath: 'file_path' }

const SAME_TOOLS: Readonly<Record<string, SameTool>> = {
  bash: { tool: 'Bash', renamed: {} },
  read: { tool: 'Read', renamed: file },
  write: { tool: 'Write', renamed: file },
  edit: {
    tool: 'Edit',
    renamed: { ...file, oldString: 'old_string', newString: 'new_string', replaceAll: 'replace_all' },
  },
  list: { tool: 'LS', renamed: {} },
  glob: { tool: 'Glob', renamed: {} },
  grep: { tool: 'Grep', renamed: { include: 'glob' } },
  webfetch: { tool: 'WebFetch', renamed: {} },
}

/** Undefined: an argument has the name that another one is given here, so that one of them would be lost. */
export function toCatalogue(
  tool: string,
  args: JsonObject,
): { tool: string; arguments: JsonObject } | undefined {
  if (!Object.hasOwn(SAME_TOOLS, tool)) return { tool: `opencode__${tool}`, arguments: args }
  const same = SAME_TOOLS[tool]!
  const renamed = rename(args, same.renamed)
  return renamed && { tool: same.tool, arguments: renamed }
}

/** The other way, for the tool that the policy knows by this name. */
export function fromCatalogue(tool: string, args: JsonObject): JsonObject | undefined {
  const same = Object.values(SAME_TOOLS).find((one) => one.tool === tool)
  if (same === undefined) return args
  return rename(
    args,
    Object.fromEntries(Object.entries(same.renamed).map(([ours, theirs]) => [theirs, ours])),
  )
}

function rename(args: JsonObject, names: Readonly<Record<string, string>>): JsonObject | undefined {
  if (Object.values(names).some((name) => Object.hasOwn(args, name))) return undefined
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [Object.hasOwn(names, name) ? names[name]! : name, value]),
  )
}
