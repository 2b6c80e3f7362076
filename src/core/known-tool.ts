/**
 * What the policy's catalogue knows of the tool of one call, for who shows the call (P9): an argument that is run or gone
 * to is never hidden because of its name, and a command that is a list of words is shown as one line.
 */
import type { CommandPlace } from './call.ts'

/** `network` reaches other computers; `shell` runs commands. */
export const TOOL_KINDS = ['read', 'edit', 'shell', 'network'] as const

export type ToolKind = (typeof TOOL_KINDS)[number]

export interface KnownTool {
  /** Whether the tool is in the catalogue at all. */
  readonly isKnown: boolean
  /** What the catalogue says that it does; a tool that is not in it may do anything. */
  readonly kind?: ToolKind | undefined
  /** The arguments that are a command, a path or an address, by JSON pointer; what is inside of one counts with it. */
  readonly acting: readonly string[]
  /** Of a tool that runs commands: where its arguments name the command. Absent: it is looked for by the usual names. */
  readonly command?: CommandPlace | undefined
}

export const UNKNOWN_TOOL: KnownTool = { isKnown: false, acting: [] }
