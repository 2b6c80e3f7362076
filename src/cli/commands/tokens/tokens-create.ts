/** `banksman tokens create` */

import { rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Client, WireCredential } from '../../../client/index.ts'
import { defined } from '../../../core/defined.ts'
import { ROLES, type Role } from '../../../core/session.ts'
import { parseDuration } from '../../../core/time/duration.ts'
import { putFile } from '../../../server/host/replace-file.ts'
import { type Context, defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, type ConnectionValues, connect } from '../../connection/connect.ts'
import { EXIT, type ExitCode, usageError } from '../../output/failures.ts'
import { safeJson, visible } from '../../output/safe-text.ts'

export const tokensCreate = defineCommand({
  about: `Creates a token and prints its secret once: only a hash of it is stored.

A token of the role agent can submit calls and run what was approved, and nothing else. An approver can decide requests. An admin can
also create and revoke tokens. People who use a browser need no token: give them a link from \`banksman login\`.`,
  options: {
    role: { kind: 'text', value: 'ROLE', about: `one of ${ROLES.join(', ')}`, oneOf: ROLES },
    subject: { kind: 'text', value: 'NAME', about: 'whose token it is: the name of a person or an agent' },
    scope: {
      kind: 'text',
      value: 'SCOPE',
      about:
        'limit it to one use: hooks:codex is for the hook of that coding agent, mcp:files for the proxy in front of that MCP server',
    },
    label: { kind: 'text', value: 'TEXT', about: 'a note, to recognize it in the list' },
    'expires-in': {
      kind: 'text',
      value: 'TIME',
      about: 'such as 12h or 30d; without it, the token is valid until it is revoked',
    },
    output: { kind: 'text', value: 'FILE', about: 'write the secret to a new file that only you can read' },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    {
      line: 'banksman tokens create --role agent --subject builder --output builder-token',
      about: 'for an agent, written to a file',
    },
    {
      line: 'banksman tokens create --role approver --subject ana --expires-in 30d',
      about: 'for a person, for a month',
    },
  ],
  async run({ values }, context) {
    const { role, subject, label, scope } = values
    if (role === undefined || subject === undefined) throw usageError('--role and --subject are required')
    const expiresInMs = durationOf(values['expires-in'])
    const input = { role: role as Role, subject, ...defined({ label, scope, expiresInMs }) }
    return giveSecret(values, context, (client) => client.tokens.create(input))
  },
})

/** Makes a token, and prints its secret or writes it into a new file. */
export async function giveSecret(
  values: ConnectionValues & { output: string | undefined; json: boolean },
  context: Context,
  make: (client: Client) => Promise<WireCredential>,
): Promise<ExitCode> {
  const { terminal, cwd } = context
  const file = values.output === undefined ? undefined : resolve(cwd, values.output)
  // Before the token is made: a secret that can't be written down is lost.
  if (file !== undefined) writeFileSync(file, '', { mode: 0o600, flag: 'wx' })
  const { secret, token } = await connect(values, context)
    .then(make)
    .catch((error) => {
      if (file !== undefined) rmSync(file, { force: true })
      throw error
    })
  if (file !== undefined) putFile(file, `${secret}\n`)
  if (values.json) {
    terminal.print(safeJson({ token, ...(file === undefined ? { secret } : { file }) }, 2))
    return EXIT.done
  }
  terminal.note(`${visible(token.id)}: a token for ${visible(token.subject)} (${visible(token.role)})`)
  if (file !== undefined) terminal.note(`Its secret is in ${file}`)
  else {
    terminal.note('Its secret, which is shown only once:')
    terminal.print(visible(secret))
  }
  return EXIT.done
}

function durationOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  try {
    return parseDuration(text)
  } catch (error) {
    throw usageError(`--expires-in: ${(error as Error).message}`)
  }
}
