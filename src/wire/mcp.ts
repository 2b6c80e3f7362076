/** What the proxy in front of an MCP server sends, and what people see of such servers. */
import { z } from 'zod'
import { heldOutcomeBody, holdBody } from './hold.ts'
import { object, optional } from './named.ts'
import { jsonObject, time } from './values.ts'

/** Requests of a client that are calls to the policy. Those but the first are allowed unless a rule speaks of them. */
export const mcpMethod = z.enum([
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
  // What the client answers to a question of the server.
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
])

const program = z
  .array(z.string().max(32 * 1024))
  .min(1)
  .max(1024)
  .describe('The command and its words, or the address, of the MCP server.')

export const mcpHoldBody = holdBody.extend({
  mcp: z.strictObject({
    method: mcpMethod,
    program,
    definition: optional(jsonObject, 'The tool as the server lists it, whole.'),
  }),
})

export const mcpOutcomesBody = z.strictObject({ outcomes: z.array(heldOutcomeBody).min(1).max(100) })

export const mcpOutcomes = object('WireMcpOutcomes', {
  outcomes: z
    .array(z.object({ code: z.string().exactOptional(), detail: z.string().exactOptional() }))
    .describe('In the same order; with a code where it could not be recorded.'),
})

export const mcpToolsBody = z.strictObject({ tools: z.array(z.string()).max(10_000) })

export const mcpTools = object('WireMcpTools', {
  hidden: z
    .array(z.string())
    .describe('Those that the policy denies by name. A client needn’t be offered them.'),
})

const pin = {
  digest: z.string(),
  text: optional(z.string(), 'For people; secrets are masked. Absent where it is too long to keep.'),
  at: time,
}

const pinned = {
  ...pin,
  changed: optional(z.object(pin), 'What it is now. Each call needs approval until an admin accepts it.'),
}

/** What calls of an entry pass by, or may. */
export const MCP_GAPS = ['lost', 'changed', 'unwrapped', 'unknown'] as const

export const mcpGap = object(
  'WireMcpGap',
  "An MCP server in a client's file that isn't behind Banksman, or may not be.",
  {
    client: z.string().describe('How people call the client.'),
    key: z.string().describe('The server, as the file calls it.'),
    file: z.string(),
    state: z
      .enum(MCP_GAPS)
      .describe(
        'lost: it was behind Banksman, and the client starts it without. changed: the proxy in front of it is not as it was set up. unwrapped: it never was behind Banksman, and others of this client are. unknown: the file can’t be read.',
      ),
    command: z.string().describe('Puts it behind Banksman, on the machine of the server.'),
  },
)

export const mcpServers = object('WireMcpServers', {
  gaps: optional(
    z.array(mcpGap),
    'For admins: what the files of MCP clients say, those of the user that the server runs as. Looked at twice a minute at most.',
  ),
  gapsUnknown: optional(z.string(), 'For admins: why those files could not be looked at.'),
  items: z.array(
    z.object({
      name: z.string(),
      program: z.object(pinned),
      tools: z.array(z.object({ name: z.string(), ...pinned })),
    }),
  ),
})

export const mcpAcceptBody = z.strictObject({
  tool: optional(z.string(), 'Absent: the program or address of the server.'),
  digest: z.string().describe('Of what was shown.'),
})

const stateCall = {
  session: z.string(),
  tool: z.string(),
  arguments: jsonObject,
}

const state = {
  callId: z.string(),
  rounds: z.int().min(0).max(1000),
  inner: optional(z.string().max(1024 * 1024), "The MCP server's own state, which goes back to it."),
}

export const mcpStateBody = z.strictObject({ ...stateCall, ...state })

export const mcpState = object('WireMcpState', { requestState: z.string() })

export const mcpStateUseBody = z.strictObject({ ...stateCall, requestState: z.string().max(256) })

export const mcpStateUsed = object('WireMcpStateUsed', state)
