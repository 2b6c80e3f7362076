/** `banksman connect` without an agent: which ones there are, and how each of them does. */

import { AGENT_SETUPS } from '../../coding-agents/agent-setups.ts'
import type { AgentSetup } from '../../coding-agents/setup/agent-setup.ts'
import { defined } from '../../core/defined.ts'
import { type Finding, findingsAbout } from '../../core/support/finding.ts'
import { readConnection } from '../../server/connect/connection-record.ts'
import { findAgent, findLeftAside } from '../../server/connect/find-agent.ts'
import {
  inspectConnection,
  type LookUpToken,
  tokenServerOf,
} from '../../server/connect/inspect-connection.ts'
import { inspectMcp } from '../../server/connect/mcp/inspect-mcp.ts'
import type { Context } from '../command-line/command.ts'
import type { ConnectionValues } from '../connection/connect.ts'
import { EXIT, type ExitCode } from '../output/failures.ts'
import { printFindings } from '../output/findings-text.ts'
import { rendered, safeJson } from '../output/safe-text.ts'
import { createTokenLookUp, lookUpMcpTokens } from './look-up-tokens.ts'
import { placeOf } from './named-agent.ts'

type AgentState = 'works' | 'broken' | 'not_connected' | 'not_found'

interface ListedConnection {
  agent: string
  title: string
  state: AgentState
  version?: string
  /** The only program of it that there is, which isn't taken unless it is named. */
  leftAside?: string
  findings: Finding[]
}

export async function listConnections(
  { isJson, values }: { isJson: boolean; values: ConnectionValues },
  context: Context,
): Promise<ExitCode> {
  const { terminal } = context
  const lookUp = createTokenLookUp(values, context)
  const agents = await Promise.all(AGENT_SETUPS.map((setup) => inspectAgent(setup, lookUp, context)))
  const mcp = inspectMcp(context.environment, context.cwd, await lookUpMcpTokens(lookUp, context))
  const isSound =
    agents.every(({ state }) => state !== 'broken') && mcp.findings.every(({ kind }) => kind !== 'problem')
  if (isJson) terminal.print(safeJson({ ok: isSound, agents, mcp }, 2))
  else {
    for (const { agent, title, state, version, leftAside, findings } of agents) {
      if (state === 'not_found')
        terminal.print(
          leftAside === undefined
            ? `--    ${title}: not found on this machine`
            : `--    ${title}: found only at ${rendered(leftAside)}, which is left aside because packages of a project put programs there. Connect it with: banksman connect ${agent} --program ${rendered(leftAside)}`,
        )
      else if (state === 'not_connected')
        terminal.print(
          `--    ${title}: ${rendered(version ?? '')} is not connected. Connect it with: banksman connect ${agent}`,
        )
      else printFindings(findings, terminal)
    }
    printFindings(mcp.findings, terminal)
  }
  return isSound ? EXIT.done : EXIT.failed
}

async function inspectAgent(
  setup: AgentSetup,
  lookUp: LookUpToken,
  context: Context,
): Promise<ListedConnection> {
  const place = placeOf(context)
  const named = { agent: setup.name, title: setup.title }
  try {
    const record = readConnection(context.environment, setup.name)
    if (record === undefined) {
      const found = await findAgent(setup, place)
      if (found === undefined) {
        const leftAside = findLeftAside(setup, context.environment)
        return { ...named, state: 'not_found', ...defined({ leftAside }), findings: [] }
      }
      return { ...named, state: 'not_connected', version: found.version, findings: [] }
    }
    const token = await lookUp(record.token, tokenServerOf(record))
    const findings = await inspectConnection({
      setup,
      place,
      record,
      project: context.cwd,
      ...(token === undefined ? {} : { token }),
    })
    const isBroken = findings.some(({ kind }) => kind === 'problem')
    return { ...named, state: isBroken ? 'broken' : 'works', version: record.agentVersion, findings }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { ...named, state: 'broken', findings: [findingsAbout(setup.title).problem(detail)] }
  }
}
