/** Written by `npm run generate:wire` from src/wire/policy.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { AgentLineage, Origin, ToolDefinition } from '../../core/call.ts'
import type { JsonObject } from '../../core/json/json.ts'

/** Nothing is recorded, so the call needs no id and no session. */
export interface ExplainInput {
  tool: string
  arguments: JsonObject
  agent?: AgentLineage
  parentSession?: string
  cwd?: string
  definition?: ToolDefinition
  /** What the agent was doing, in its own words. */
  context?: string
  /** The agent's own summary of the call. */
  preview?: string
  origin?: Origin
  callId?: string
  session?: string
  /** The session's mode, in place of the policy's. */
  mode?: string
  /** A whole configuration file, as YAML. It is checked as the file would be, and nothing is applied. */
  text?: string
}

/** A policy that is not in force, to be tried on the calls on record. */
export interface ReplayInput {
  /** The value under policy: of a configuration file. */
  policy?: JsonObject
  /** The value under tools:. */
  tools?: JsonObject
  /** A whole configuration file, as YAML. It is checked as the file would be, and nothing is applied. */
  text?: string
  /** How far back; 30 unless given. */
  days?: number
  /** At most this many calls; 5000 unless given. */
  limit?: number
}

export interface WirePolicyWarning {
  /** In the reader's language. */
  message: string
  pointer: string
  line?: number
  column?: number
}

export interface WireFailedTest {
  /** What was to be judged, in a line. */
  call: string
  /** The verdict, and the rule where one is expected. */
  expected: string
  /** The verdict and why. */
  found: string
  line?: number
}

export interface WirePolicy {
  /** The digest of the policy in force. */
  version: string
  /** file: the trusted text of the file. built_in: everything is asked. demonstration, pet: what comes with these. */
  source: 'file' | 'built_in' | 'demonstration' | 'pet'
  /** Where the file is or would be. */
  file: string
  status: 'trusted' | 'absent' | 'gone' | 'untrusted'
  /**
   * The policy in force, as YAML: a whole configuration file. What is not in a file is written out. Secrets
   * of a known shape stand as their masks here and in changed, and hidden characters are written out; the
   * line breaks are those of the file. It can be sent to replay and explain as it is: a mask then stands for
   * some other word.
   */
  text: string
  /**
   * The text in the file, where it is not what is in force. It takes effect when someone with the role admin
   * applies it.
   */
  changed?: {
    /**
     * Empty where it is no text, and, for who is no admin, where it can't be read or sets nothing: it may be
     * any file.
     */
    text: string
    digest: string
    /** Why it can't be applied: every mistake in it, a line for each. */
    mistake?: string
    /** What is right in it but probably not meant, where there is such a thing and the text is shown. */
    warnings?: WirePolicyWarning[]
  }
  mode: string
  modes: string[]
  warnings: WirePolicyWarning[]
  tests: { passed: number; failed: WireFailedTest[] }
  /** What the policy knows of tools, with the argument that each is mainly about. */
  tools: { name: string; kind?: string; argument?: string }[]
}
