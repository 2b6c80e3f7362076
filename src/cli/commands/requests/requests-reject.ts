/** `banksman requests reject` */
import { defined } from '../../../core/defined.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { decideRequest } from '../../connection/decide-request.ts'

export const requestsReject = defineCommand({
  about: `Rejects one request. The tool doesn't run, and the agent is told the reason, so say what it should do instead. A question is
declined the same way.`,
  positionals: [{ name: 'id', required: true }],
  options: {
    reason: { kind: 'text', value: 'TEXT', about: 'why; the agent reads it' },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    {
      line: 'banksman requests reject req_01hx… --reason "use the staging database"',
      about: 'reject, and say what to do instead',
    },
  ],
  async run({ values, positionals: [id = ''] }, context) {
    const client = await connect(values, context)
    const { digest } = await client.get(id)
    return decideRequest(client, id, context, values.json, {
      decision: 'reject',
      digest,
      ...defined({ reason: values.reason }),
    })
  },
})
