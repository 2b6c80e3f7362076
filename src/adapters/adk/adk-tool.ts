/** The parts of the Agent Development Kit that the adapter looks at, as shapes. It is never imported. */
import { parseJson } from '../../core/json/parse-json.ts'

export interface AdkTool {
  name: string
  description?: string | undefined
  runAsync(request: AdkToolRequest): Promise<unknown>
  _getDeclaration(): AdkDeclaration | undefined
  processLlmRequest(request: { toolContext: AdkToolContext }): Promise<void>
}

interface AdkDeclaration {
  parameters?: unknown
  parametersJsonSchema?: unknown
}

export interface AdkToolRequest {
  args: unknown
  toolContext: AdkToolContext
}

/** `Context` of the kit. */
export interface AdkToolContext {
  functionCallId?: string | undefined
  sessionId: string
  userId?: string | undefined
  agentName: string
  abortSignal?: AbortSignal | undefined
  /** Set when a run goes on after a confirmation was asked for. */
  toolConfirmation?: unknown
  actions: { requestedToolConfirmations: Record<string, unknown>; skipSummarization?: boolean | undefined }
  requestConfirmation(request: { hint?: string; payload?: unknown }): void
  invocationContext: AdkInvocation
}

interface AdkInvocation {
  endInvocation?: boolean | undefined
  agent?: AdkAgent | undefined
}

interface AdkAgent {
  name: string
  parentAgent?: AdkAgent | undefined
}

/** Tools that come in a set, as those of an MCP server. */
export interface AdkToolset {
  getTools(...given: unknown[]): Promise<object[]>
}

/** Search and the other tools that Google runs have nothing to declare. */
export function isGatedAdkTool(tool: object): tool is AdkTool {
  const { runAsync, _getDeclaration } = tool as Partial<AdkTool>
  return (
    typeof runAsync === 'function' &&
    typeof _getDeclaration === 'function' &&
    _getDeclaration.call(tool) !== undefined
  )
}

export function isToolset(tool: object): tool is AdkToolset {
  return typeof (tool as Partial<AdkToolset>).getTools === 'function'
}

/** The kit writes types in capitals (`OBJECT`), which no JSON Schema has. */
export function adkSchemaOf(tool: AdkTool): unknown {
  const { parameters, parametersJsonSchema } = tool._getDeclaration() ?? {}
  if (parametersJsonSchema !== undefined) return parametersJsonSchema
  if (parameters === undefined) return undefined
  return inLowerCase(parseJson(JSON.stringify(parameters)))
}

function inLowerCase(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inLowerCase)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).map(([name, value]) =>
    name === 'type' && typeof value === 'string' ? [name, value.toLowerCase()] : [name, inLowerCase(value)],
  )
  return Object.fromEntries(members)
}

/** The agents that started this one, nearest last. */
export function parentsOf({ invocationContext }: AdkToolContext): string[] {
  const parents: string[] = []
  let agent = invocationContext.agent?.parentAgent
  while (agent !== undefined && parents.length < MAX_PARENTS) {
    parents.unshift(agent.name)
    agent = agent.parentAgent
  }
  return parents
}

/** More than a call may have. */
const MAX_PARENTS = 16
