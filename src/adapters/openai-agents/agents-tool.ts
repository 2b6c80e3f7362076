/** The parts of the OpenAI Agents SDK that the adapter looks at, as shapes. The SDK is never imported. */

/** A tool that the SDK runs in this process. */
export interface AgentsTool {
  type: 'function'
  name: string
  description: string
  parameters: unknown
  timeoutMs?: number | undefined
  invoke(runContext: RunContextShape, input: string, details?: AgentsCallDetails): Promise<unknown>
}

export interface RunContextShape {
  /** What the program gave to `run`. */
  context?: unknown
}

export interface AgentsCallDetails {
  toolCall?: { callId: string; arguments: string } | undefined
  signal?: AbortSignal | undefined
}

/** What `tool()` of the SDK is given. */
export interface ToolConfig {
  parameters?: unknown
  errorFunction?: unknown
  outputSchema?: unknown
  execute(input: unknown, runContext?: RunContextShape, details?: AgentsCallDetails): unknown
}

/**
 * Hosted tools run at the provider, and shell, computer and patch tools have no `invoke`. An agent as a tool (it has `on`) pauses
 * where its own tools do, and has to be run again after that: put its tools behind the guard instead.
 */
export function isGatedTool(tool: object): tool is AgentsTool {
  const { type, invoke, on } = tool as Partial<AgentsTool> & { on?: unknown }
  return type === 'function' && typeof invoke === 'function' && typeof on !== 'function'
}

export function nameOfTool(tool: object): string {
  const { name, type } = tool as { name?: unknown; type?: unknown }
  return String(name ?? type ?? 'a tool without a name')
}

/** The same object with other members. What is not enumerable stays, too: the SDK keeps some of its own there. */
export function copyWith<T extends object>(original: T, members: Partial<T>): T {
  const descriptors = Object.getOwnPropertyDescriptors(original) as PropertyDescriptorMap
  for (const key of Reflect.ownKeys(members)) delete descriptors[key as string]
  return Object.assign(Object.create(Object.getPrototypeOf(original), descriptors), members)
}

/**
 * For the tool's own `invoke`: the approved arguments, and a limit of time that begins now. The SDK marks calls whose limit it
 * counts itself, from before the waiting; without the mark the tool counts its own.
 */
export function detailsFor(
  details: AgentsCallDetails,
  approved: string,
  signal: AbortSignal,
): AgentsCallDetails {
  const copy = copyWith(details, {
    signal,
    ...(details.toolCall === undefined ? {} : { toolCall: { ...details.toolCall, arguments: approved } }),
  })
  for (const key of Object.getOwnPropertySymbols(copy))
    if (key.description === 'functionToolTimeoutAlreadyEnforced') Reflect.deleteProperty(copy, key)
  return copy
}

/** A sentence in front of a result, in the form that the SDK has for it. */
export function withNote(value: unknown, note: string | undefined): unknown {
  if (note === undefined) return value
  const parts = Array.isArray(value) ? value : [value]
  const isContent = parts.length > 0 && parts.every((part) => CONTENT.has(part?.type))
  if (isContent) return [{ type: 'text', text: note }, ...parts]
  return `${note}\n${typeof value === 'string' ? value : JSON.stringify(value)}`
}

const CONTENT = new Set<unknown>(['text', 'image', 'file'])
