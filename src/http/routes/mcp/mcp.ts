/**
 * The proxy in front of an MCP server, which is a client of ours like any other: it holds each call, runs it and reports. Its token is good for
 * what is below the name of its server and for nothing else, and each call must be of that server. What people see of the servers is here too.
 */
import { z } from 'zod'
import { defined } from '../../../core/defined.ts'
import { BanksmanError, ERROR_STATUS, isBanksmanError } from '../../../core/errors.ts'
import type { JsonObject } from '../../../core/json/json.ts'
import { isMcpServerName, MCP_NAME_RULE, mcpScope, mcpToolName } from '../../../core/support/mcp-names.ts'
import type { McpPin, PinnedMcp } from '../../../gateway/access/mcp-pins.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import * as answers from '../../../wire/answers.ts'
import { emptyAnswer } from '../../../wire/answers.ts'
import * as callWire from '../../../wire/call.ts'
import * as holdWire from '../../../wire/hold.ts'
import * as schemas from '../../../wire/mcp.ts'
import type { WireMcpServers } from '../../../wire/types/mcp.ts'
import { holdQuery } from '../../connection/long-poll.ts'
import { createRateLimit } from '../../connection/rate-limit.ts'
import { toProblem } from '../../to-wire/problem.ts'
import { requestToWire } from '../../to-wire/request-to-wire.ts'
import { toTime } from '../../to-wire/time-to-wire.ts'
import { renewClaim } from '../calls/claims.ts'
import { answerHold, JUDGEMENTS_PER_MINUTE } from '../calls/holds.ts'
import { json, type Route, route } from '../route.ts'

/** A server in the file of an MCP client, and whether its calls come to us. */
export interface McpClientEntry {
  title: string
  key: string
  file: string
  state: string
  command: string
}

export interface McpRouteParts {
  gateway: Gateway
  /** Looks at the files of MCP clients on this machine. Throws where they can't be looked at. */
  inspectMcpClients?: () => Promise<McpClientEntry[]>
  /** Where people open the inbox. */
  inboxUrl?: () => string | undefined
}

const scope = (step: (name: string) => string) => mcpScope(step('name'))

export function mcpRoutes({ gateway, inboxUrl, inspectMcpClients }: McpRouteParts): Route[] {
  const judgements = createRateLimit(JUDGEMENTS_PER_MINUTE, 'asked what would happen')
  const urlOf = (request: string) => {
    const inbox = inboxUrl?.()
    return inbox === undefined ? undefined : `${inbox}/#/pending/${encodeURIComponent(request)}`
  }
  return [
    route('POST /v1/mcp/{name}/holds', {
      summary:
        "Review a call of an MCP server's tool, wait for a person where one is needed, and claim it. Like POST /v1/holds, for the server with this name.",
      access: 'anyone',
      scope,
      query: z.strictObject({ hold: holdQuery.exactOptional() }),
      body: schemas.mcpHoldBody,
      bodyCode: 'invalid_call',
      answers: [json('The right to run it, or why not.', holdWire.hold)],
      async answer({ c, caller, query, body: { mcp, ...body }, step }) {
        const server = serverName(step('name'))
        const tool = toolOf(server, body.call.tool, mcp.method)
        const isTool = mcp.method === 'tools/call'
        const seen = isTool
          ? { tool: { name: tool, definition: mcp.definition as JsonObject | undefined } }
          : {}
        const asks = await gateway.mcpPins.check({ server, program: mcp.program, ...seen }, caller.actor)
        const own = { asks, allowsUnruled: !isTool }
        return answerHold(gateway, { c, caller, holdMs: query.hold, body, own, urlOf })
      },
    }),
    route('POST /v1/mcp/{name}/judge', {
      summary:
        "What would happen to a call of an MCP server's tool now. Like POST /v1/judge, for the server with this name.",
      access: 'anyone',
      scope,
      body: callWire.callBody,
      bodyCode: 'invalid_call',
      answers: [json('A forecast.', holdWire.judgement)],
      async answer({ caller, body, step }) {
        toolOf(serverName(step('name')), body.tool, 'tools/call')
        judgements.use(caller.token)
        return gateway.judge(body, { as: caller.actor })
      },
    }),
    route('POST /v1/mcp/{name}/holds/outcomes', {
      summary: 'Report what happened to held calls that nobody was asked about.',
      access: 'anyone',
      scope,
      body: schemas.mcpOutcomesBody,
      answers: [json('What is on the record, and what could not be recorded.', schemas.mcpOutcomes)],
      async answer({ caller, body: { outcomes } }) {
        const report = ({ session, callId, key, ...ended }: (typeof outcomes)[number]) =>
          gateway.reportHeld({ session, callId, key }, ended, caller.actor).then(
            () => ({}),
            (error: unknown) => refusedOutcome(error),
          )
        return { outcomes: await Promise.all(outcomes.map(report)) }
      },
    }),
    route('POST /v1/mcp/{name}/holds/release', {
      summary: 'Give a held call back by its key, without an outcome.',
      access: 'anyone',
      scope,
      body: holdWire.heldReleaseBody,
      answers: [json('It can be held again, with another key.', holdWire.released)],
      answer: ({ caller, body: { cause, ...place } }) => gateway.releaseHeld(place, cause, caller.actor),
    }),
    route('POST /v1/mcp/{name}/requests/{id}/claim/renew', {
      summary: 'Still running. Says whether the call was told to stop.',
      access: 'anyone',
      scope,
      body: callWire.renewBody,
      answers: [json('Until when the lease holds.', callWire.renewal)],
      answer: ({ caller, body, step }) => renewClaim(gateway, step('id'), body.claimId, caller),
    }),
    route('POST /v1/mcp/{name}/requests/{id}/outcome', {
      summary: 'Report what happened to a claimed call.',
      access: 'anyone',
      scope,
      body: callWire.outcomeBody,
      answers: [json('It is on the record.', emptyAnswer)],
      async answer({ caller, body, step }) {
        await gateway.report(step('id'), body, caller.actor)
        return {}
      },
    }),
    route('POST /v1/mcp/{name}/requests/{id}/cancel', {
      summary: 'Withdraw a request: nobody waits for it any longer.',
      access: 'anyone',
      scope,
      body: callWire.cancelBody,
      answers: [json('It has taken effect.', answers.cancelled)],
      async answer({ caller, body, step }) {
        const { request, recorded } = await gateway.cancel(step('id'), body, caller.actor)
        return { request: await requestToWire(gateway, request, caller, 'whole'), recorded }
      },
    }),
    route('POST /v1/mcp/{name}/states', {
      summary:
        'Something for an MCP client to come back with when its call can’t be answered yet. It is good once, for the same call.',
      access: 'anyone',
      scope,
      body: schemas.mcpStateBody,
      answers: [json('What the client is given.', schemas.mcpState)],
      async answer({ caller, body: { callId, rounds, inner, ...call }, step }) {
        const about = { ...call, server: serverName(step('name')), token: caller.token }
        return {
          requestState: await gateway.mcpStates.make(about, { callId, rounds, ...defined({ inner }) }),
        }
      },
    }),
    route('POST /v1/mcp/{name}/states/use', {
      summary: 'The client has come back with it. It is used up.',
      access: 'anyone',
      scope,
      body: schemas.mcpStateUseBody,
      answers: [json('What it stands for.', schemas.mcpStateUsed)],
      answer: ({ caller, body: { requestState, ...call }, step }) =>
        gateway.mcpStates.use(
          { ...call, server: serverName(step('name')), token: caller.token },
          requestState,
        ),
    }),
    route('POST /v1/mcp/{name}/tools', {
      summary: 'Which of these tools of an MCP server the policy denies by name. Nothing is recorded.',
      access: 'anyone',
      scope,
      body: schemas.mcpToolsBody,
      answers: [json('Those that needn’t be offered.', schemas.mcpTools)],
      async answer({ body: { tools }, step }) {
        const server = serverName(step('name'))
        return { hidden: tools.filter((tool) => gateway.deniesByName(mcpToolName(server, tool))) }
      },
    }),
    route('GET /v1/mcp', {
      summary:
        'The MCP servers that were used, their tools, and what has changed of them. For admins, also which servers of the clients on this machine are not behind Banksman.',
      access: 'people',
      answers: [json('All of them.', schemas.mcpServers)],
      async answer({ caller }) {
        const servers = await gateway.mcpPins.list()
        const isAdmin = caller.actor.role === 'admin'
        return {
          ...(isAdmin && inspectMcpClients !== undefined ? await findGaps(inspectMcpClients) : {}),
          items: servers.map(({ name, program, tools }) => ({
            name,
            program: pinnedToWire(program),
            tools: tools.map((tool) => ({ name: tool.name, ...pinnedToWire(tool) })),
          })),
        }
      },
    }),
    route('POST /v1/mcp/{name}/accept', {
      summary: 'Accept what an MCP server has changed: its program, or the definition of a tool.',
      access: 'admin',
      body: schemas.mcpAcceptBody,
      answers: [json('Rules and grants apply again.', emptyAnswer)],
      async answer({ caller, body, step }) {
        await gateway.mcpPins.accept({ server: serverName(step('name')), ...body }, caller.actor)
        return {}
      },
    }),
  ]
}

/** Only what concerns this outcome: what concerns the server fails the whole exchange, which is repeated. */
function refusedOutcome(error: unknown): { code: string; detail: string } {
  if (!isBanksmanError(error) || ERROR_STATUS[error.code] >= 500) throw error
  const { code, detail } = toProblem(error)
  return { code, detail }
}

/** What can't be looked up must not hide what is known. */
async function findGaps(
  inspect: () => Promise<McpClientEntry[]>,
): Promise<Pick<WireMcpServers, 'gaps' | 'gapsUnknown'>> {
  try {
    const gaps = (await inspect()).flatMap(({ title: client, key, file, state, command }) => {
      const gap = schemas.MCP_GAPS.find((one) => one === state)
      return gap === undefined ? [] : [{ client, key, file, state: gap, command }]
    })
    return { gaps }
  } catch (error) {
    return { gapsUnknown: error instanceof Error ? error.message : String(error) }
  }
}

function serverName(name: string): string {
  if (isMcpServerName(name)) return name
  throw new BanksmanError(
    'invalid',
    `${JSON.stringify(name.slice(0, 100))} is not the name of an MCP server: ${MCP_NAME_RULE}`,
  )
}

/** The token is for one server; so must the call be. */
function toolOf(server: string, called: string, method: z.infer<typeof schemas.mcpMethod>): string {
  const prefix = mcpToolName(server, '')
  const tool = called.startsWith(prefix) ? called.slice(prefix.length) : ''
  const isMethod = schemas.mcpMethod.safeParse(tool).success
  if (tool === '' || (method === 'tools/call' ? isMethod : tool !== method))
    throw new BanksmanError(
      'invalid_call',
      `a call of ${method} through the MCP server ${server} must be named ${prefix} and ${method === 'tools/call' ? 'its tool' : method}; found ${JSON.stringify(called.slice(0, 300))}`,
      { pointer: '/call/tool' },
    )
  return tool
}

function pinnedToWire({ changed, ...pin }: PinnedMcp) {
  return { ...pinToWire(pin), ...(changed === undefined ? {} : { changed: pinToWire(changed) }) }
}

function pinToWire({ digest, text, at }: McpPin) {
  return { digest, ...(text === undefined ? {} : { text }), at: toTime(at) }
}
