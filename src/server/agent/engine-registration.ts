/**
 * An engine that agents of this server can have. `engines.ts` lists them; to add one, register it there. What an engine needs besides
 * its schema, such as a library, is imported when an agent with it is opened.
 */
import type { z } from 'zod'
import type { MediaStore } from '../../agents/media/media-store.ts'
import type { Model } from '../../agents/models/model.ts'
import type { ModelScript } from '../../agents/models/scripted/script.ts'
import type { Engine } from '../../agents/sessions/engine.ts'
import type { Tool } from '../../agents/tools/tool.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { SecretaryConfiguration } from '../configuration/secretary-configuration.ts'

export interface EngineRegistration {
  /** What `engine` says in the configuration. */
  readonly kind: string
  /** One agent under `agents:`, with `engine: z.literal(kind)`. */
  readonly schema: z.ZodObject<{ engine: z.ZodLiteral<string> }>
  /** Reads what fits the schema. Paths are meant from `folder`; `place` is where it stands, as in `agents.coder`. */
  read(block: unknown, source: { name: string; folder: string; place: string }): ConfiguredAgent
  open(agent: ConfiguredAgent, parts: ServerAgentParts): Promise<OpenedAgent>
}

export interface ConfiguredAgent {
  engine: string
  name: string
  /** The folder that it works in, where the configuration names one. */
  workspace: string | undefined
  /** As the registration has read it. */
  settings: unknown
}

export interface OpenedAgent {
  engine: Engine
  /** Which model answers, and why that one. */
  because: string
  workspace: string
  close(): Promise<void>
}

export interface ServerAgentParts {
  gateway: Gateway
  configuration: Configuration
  media: MediaStore
  /** The data folder, for what an engine keeps on this machine. */
  folder: string
  /** What belongs to Banksman itself on this machine. */
  keepOut: readonly string[]
  environment: Record<string, string | undefined>
  /** The addresses of this server, which no tool may reach. */
  own: () => readonly string[]
  report: (fault: { doing: string; error: unknown }) => void
  say: (line: string) => void
}

/** What the default agent is where nothing else says. */
export interface AgentPreset {
  /** What answers where neither the configuration nor the environment names a model. */
  model: Model
  tools: Tool[]
  workspace: string
  /** Coding sessions beside it, where there is no configuration file. */
  coding?: CodingPreset
}

export interface CodingPreset {
  settings: SecretaryConfiguration
  /** What the model says where no key is there: to Claude Code, or to our own loop. */
  scripts: { claude: ModelScript; loop: ModelScript }
}
