/** The parts of Mastra that the adapter looks at, as shapes. Mastra is never imported. */
import { parseJson } from '../../core/json/parse-json.ts'

/** A tool that Mastra runs in this process: of `createTool`, of an MCP server, or of the AI SDK. */
export interface MastraTool {
  description?: string | undefined
  inputSchema?: unknown
  suspendSchema?: unknown
  resumeSchema?: unknown
  execute(input: unknown, context?: MastraToolContext): unknown
  toModelOutput?: ((output: unknown) => unknown) | undefined
}

/** What Mastra gives to a tool. In an agent it says in `agent` what it says to tools of the AI SDK directly. */
export interface MastraToolContext extends MastraAgentPart {
  agent?: MastraAgentPart | undefined
  abortSignal?: AbortSignal | undefined
  requestContext?: unknown
}

interface MastraAgentPart {
  agentId?: string | undefined
  toolCallId?: string | undefined
  threadId?: string | undefined
  resourceId?: string | undefined
  suspend?: ((payload: unknown, options?: unknown) => Promise<unknown>) | undefined
  resumeData?: unknown
  suspendPayload?: unknown
}

/** Client tools and those that the provider runs have no `execute`. */
export function isGatedMastraTool(tool: object): tool is MastraTool {
  return typeof (tool as Partial<MastraTool>).execute === 'function'
}

/** Whether the tool reads its input by its schema itself, as those of `createTool` do. */
export function readsInput(tool: object): boolean {
  return Symbol.for('mastra.core.tool.Tool') in tool
}

/**
 * The same schema for the model, and no check: Mastra reads the arguments by it before the first run of a tool, and not when it goes on
 * after a pause. We read them ourselves both times, so that what is shown is what runs.
 */
export function uncheckedSchema(schema: unknown): unknown {
  const standard = (schema as { '~standard'?: { jsonSchema?: unknown } } | null | undefined)?.['~standard']
  if (standard?.jsonSchema === undefined) return schema
  return {
    '~standard': {
      version: 1,
      vendor: 'banksman',
      validate: (value: unknown) => ({ value }),
      jsonSchema: standard.jsonSchema,
    },
  }
}

/** For people and for the check of an edit. Undefined where the schema can't be said in JSON. */
export function jsonSchemaOf(schema: unknown): unknown {
  try {
    const { jsonSchema } = (schema as StandardJson)['~standard']
    return parseJson(JSON.stringify(jsonSchema.input({ target: 'draft-07' })))
  } catch {
    return undefined
  }
}

interface StandardJson {
  '~standard': { jsonSchema: { input(options: { target: string }): unknown } }
}
