/** `banksman grants revoke` */
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { safeJson, visible } from '../../output/safe-text.ts'

export const grantsRevoke = defineCommand({
  about: `Revokes a grant: from now on, the calls that it allowed need approval again. Calls that already run are not stopped. This can't be
undone, but the next approval can leave a new grant. Revoking a grant twice changes nothing.`,
  positionals: [{ name: 'id', required: true }],
  options: { ...JSON_OPTION, ...CONNECTION_OPTIONS },
  examples: [{ line: 'banksman grants revoke grt_01hx…', about: 'its id is in `banksman grants list`' }],
  async run({ values, positionals: [id = ''] }, context) {
    const client = await connect(values, context)
    await client.revokeGrant(id)
    context.terminal.print(values.json ? safeJson({ id, revoked: true }) : `${visible(id)} is revoked`)
    return EXIT.done
  },
})
