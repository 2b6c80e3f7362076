/**
 * The tool's contract. A tool is a name, a description, a schema and a function. The loop checks the arguments against the
 * schema once, before anyone is asked; the policy, the screen and the tool then all see the same JSON, so a schema MUST NOT
 * change what it checks: no defaults, no coercion, no transforms. The registry refuses a tool whose schema does.
 *
 * A tool whose call may be an attacker's idea says so with `asks`: then a person decides, whatever the policy says.
 *
 * `run` is called at most once for a call, with a copy of the approved arguments. It MUST stop soon when the signal
 * aborts. What it throws goes to the model as an error; it throws a `ToolError` where the text is meant for that.
 */
import type { z } from 'zod'
import type { Origin, ToolAnnotations } from '../../core/call.ts'
import type { MediaItem } from '../../core/conversation.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Actor } from '../../core/session.ts'
import type { MediaStore } from '../media/media-store.ts'

export interface Tool<Arguments = JsonObject> {
  readonly name: string
  /** For the model, and for the person who is asked. */
  readonly description: string
  readonly schema: z.ZodType<Arguments>
  readonly annotations?: ToolAnnotations
  /**
   * Why a person is asked about this call whatever the policy or a grant says, in a sentence for them. Undefined: as the policy says.
   * It only ever makes things stricter. Where it throws, they are asked.
   */
  asks?(args: Arguments, context: AsksContext): string | undefined
  run(args: Arguments, context: ToolContext): Promise<ToolOutcome>
}

export interface AsksContext {
  /** What the session's owner wrote in this turn, message by message. Nothing that a model, a tool or another agent wrote. */
  said: readonly string[]
}

export interface ToolContext {
  signal: AbortSignal
  session: string
  /** As whom the call is made: the session's owner. */
  owner: Actor
  /** Where the turn was begun, where that is known. */
  origin?: Origin
  callId: string
  /** The folder that relative paths are meant in, and that files are held to. */
  workspace: string
  media: MediaStore
}

export interface ToolOutcome {
  /** For the model. */
  text: string
  isError?: boolean
  /** For the person, past the model. */
  forUser?: string
  media?: MediaItem[]
  /** The person was served by `forUser` and `media`; where that is so for all calls of a step, the turn ends. */
  handled?: boolean
}

/** Keeps the type of the arguments; the registry holds tools of all kinds. */
export function defineTool<Arguments>(tool: Tool<Arguments>): Tool {
  return tool as unknown as Tool
}

export class ToolError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ToolError'
  }
}

/** What the loop needs of all tools together. */
export interface ToolRegistry {
  /** In the order in which they were added. */
  list(): readonly RegisteredTool[]
  find(name: string): RegisteredTool | undefined
}

export interface RegisteredTool {
  readonly tool: Tool
  /** What the model is told and what is approved: part of the digest. */
  readonly definition: { description: string; schema: JsonObject; annotations?: ToolAnnotations }
  /** The hook that provides it, where one does. */
  readonly providedBy?: string
  /** What is wrong with the arguments, in words for a model; undefined when they fit. */
  check(args: JsonObject): string | undefined
}
