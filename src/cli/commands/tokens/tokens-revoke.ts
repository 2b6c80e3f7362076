/** `banksman tokens revoke` */
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { safeJson, visible } from '../../output/safe-text.ts'

export const tokensRevoke = defineCommand({
  about: `Revokes a token: from now on it is refused everywhere, and open connections that use it are closed. This can't be undone. With an
agent's last token, its pending requests and unclaimed approvals are cancelled; to hand them over to a new token, use \`tokens rotate\`.
Revoking a token twice changes nothing.`,
  positionals: [{ name: 'id', required: true }],
  options: { ...JSON_OPTION, ...CONNECTION_OPTIONS },
  examples: [{ line: 'banksman tokens revoke tok_01hx…', about: 'its id is in `banksman tokens list`' }],
  async run({ values, positionals: [id = ''] }, context) {
    const client = await connect(values, context)
    await client.tokens.revoke(id)
    context.terminal.print(values.json ? safeJson({ id, revoked: true }) : `${visible(id)} is revoked`)
    return EXIT.done
  },
})
