/** The agents that this server hosts, all in one host. Without any, it serves the agents of others. */

import { join } from 'node:path'
import { createFolderMediaStore, type FolderMediaStore } from '../../agents/media/folder-media-store.ts'
import { SECRETARY } from '../../agents/secretary/agent-names.ts'
import { type Agent, createSessionHost } from '../../agents/sessions/session-host.ts'
import { defined } from '../../core/defined.ts'
import type { Secretary } from '../../core/secretary.ts'
import type { SecretaryTalk } from '../../people/driver.ts'
import type { ConversationConfiguration } from '../configuration/agent-configuration.ts'
import { hostClock } from '../host/host.ts'
import { processIdentity } from '../host/process-identity.ts'
import type { OpenedCodingSessions, ServerCodingParts } from '../secretary/open-coding-sessions.ts'
import type { AgentPreset, OpenedAgent, ServerAgentParts } from './engine-registration.ts'
import { engineOf } from './engines.ts'
import { openDefaultAgent } from './open-loop-agent.ts'
import { warnWithoutAgent } from './warn-without-agent.ts'

export interface ServerAgent {
  /** Talks to all agents of the server; to the default one where nobody is named. */
  agent: Agent
  media: FolderMediaStore
  /** Which model answers, and why that one: of the default agent, or of the first. */
  because: string
  /** Whether there is a default agent, which answers where nobody is named. */
  isTalkedTo: boolean
  workspace: string
}

export interface ServerAgents {
  readonly main: ServerAgent | undefined
  /** Absent where the configuration has no `secretary:`. */
  readonly secretary: Secretary | undefined
  /** How people talk to it in chats. */
  readonly talk: SecretaryTalk | undefined
  /** Continues the turns that the last run left unfinished. */
  resume(): Promise<void>
  eraseMediaOlderThan(ageMs: number): Promise<void>
  close(): Promise<void>
}

export interface OpenServerAgentsOptions extends Omit<ServerCodingParts, 'media'> {
  demonstration?: AgentPreset
}

export async function openServerAgents(options: OpenServerAgentsOptions): Promise<ServerAgents> {
  const { gateway, configuration, report, say } = options
  const media = createFolderMediaStore(join(options.folder, 'media'))
  const parts = { ...options, media }
  const opened = await openAll(parts, options.demonstration)
  const coding = await openCoding(parts, opened, options.demonstration)
  const [first] = opened.values()
  if (first === undefined) {
    warnWithoutAgent(configuration, say)
    return {
      main: undefined,
      secretary: undefined,
      talk: undefined,
      async resume() {},
      async eraseMediaOlderThan() {},
      async close() {},
    }
  }
  const defaultAgent = defaultOf(configuration.talk.agent.name, opened)
  const named = opened.get(defaultAgent)
  const host = createSessionHost({
    gateway,
    agents: new Map([...opened].map(([name, { engine }]) => [name, engine])),
    defaultAgent,
    clock: hostClock,
    report,
    ...defined({ place: processIdentity() }),
  })
  const connected = coding?.connect(host)
  const agent = connected?.agent ?? host
  return {
    secretary: connected?.secretary,
    talk: connected?.talk,
    main: {
      agent,
      media,
      because: (named ?? first).because,
      isTalkedTo: named !== undefined,
      workspace: first.workspace,
    },
    async resume() {
      await agent.resume()
      await connected?.resume()
    },
    async eraseMediaOlderThan(ageMs) {
      await media.eraseOlderThan(ageMs)
    },
    async close() {
      connected?.close()
      await agent.close()
      await closeAll(opened)
    },
  }
}

/** Where the default agent has no model, and the secretary has one, people talk to the secretary. */
function defaultOf(name: string, opened: ReadonlyMap<string, OpenedAgent>): string {
  return !opened.has(name) && opened.has(SECRETARY) ? SECRETARY : name
}

/** The folders that agents work in, where the configuration names them. */
export function agentWorkspaces({
  agent,
  agents,
  secretary,
}: ConversationConfiguration): (string | undefined)[] {
  const folders = secretary?.folders?.map(({ path }) => path) ?? []
  return [agent.workspace, ...agents.map(({ workspace }) => workspace), ...folders]
}

/** By name, the default agent first. */
async function openAll(
  parts: ServerAgentParts,
  demonstration: AgentPreset | undefined,
): Promise<Map<string, OpenedAgent>> {
  const { agent, agents } = parts.configuration.talk
  const opened = new Map<string, OpenedAgent>()
  try {
    const main = await openDefaultAgent(parts, demonstration)
    if (main !== undefined) opened.set(agent.name, main)
    for (const each of agents) opened.set(each.name, await engineOf(each.engine).open(each, parts))
    return opened
  } catch (error) {
    // Their hooks may be processes, which must not be left behind.
    await closeAll(opened)
    throw error
  }
}

/** With `secretary:` in the configuration, or in the demonstration where there is none. Its engine is one of the agents. */
async function openCoding(
  parts: ServerCodingParts,
  opened: Map<string, OpenedAgent>,
  demonstration: AgentPreset | undefined,
): Promise<OpenedCodingSessions | undefined> {
  const { talk, text } = parts.configuration
  const preset = text === undefined ? demonstration?.coding : undefined
  const secretary = talk.secretary ?? preset?.settings
  if (secretary === undefined) return undefined
  try {
    const { openCodingSessions } = await import('../secretary/open-coding-sessions.ts')
    const coding = await openCodingSessions(secretary, { ...parts, ...defined({ preset }) })
    for (const [name, each] of coding.agents) opened.set(name, each)
    return coding
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

async function closeAll(opened: ReadonlyMap<string, OpenedAgent>): Promise<void> {
  for (const agent of opened.values()) await agent.close()
}
