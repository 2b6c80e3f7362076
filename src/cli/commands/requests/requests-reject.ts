/** `banksman requests reject` */
import { isClientError } from '../../../client/index.ts'
import { defined } from '../../../core/defined.ts'
import { readAllPages } from '../../../core/support/read-pages.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { decideRequest } from '../../connection/decide-request.ts'
import { EXIT, usageError } from '../../output/failures.ts'
import { safeJson } from '../../output/safe-text.ts'

export const requestsReject = defineCommand({
  about: `Rejects one request, or with --agent and --all every pending request of an agent. The tool doesn't run, and the agent is told the reason, so say what it should do instead. A question is
declined the same way.`,
  positionals: [{ name: 'id', required: false }],
  options: {
    reason: { kind: 'text', value: 'TEXT', about: 'why; the agent reads it' },
    agent: { kind: 'text', value: 'NAME', about: 'the agent that submitted them, as `requests show` says' },
    all: { kind: 'flag', about: 'reject all pending requests of --agent' },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    {
      line: 'banksman requests reject req_01hx… --reason "use the staging database"',
      about: 'reject, and say what to do instead',
    },
    { line: 'banksman requests reject --agent builder --all', about: 'all that one agent asks' },
  ],
  async run({ values, positionals: [id] }, context) {
    const { agent, all, reason } = values
    if (all !== (agent !== undefined) || all === (id !== undefined))
      throw usageError('name the id of one request, or --agent NAME --all')
    const client = await connect(values, context)
    if (id === undefined) {
      const pending = await readAllPages((next) => client.list({ state: 'pending', limit: 200, ...next }))
      const theirs = pending.filter(({ submittedBy }) => submittedBy === agent)
      let rejected = 0
      for (const { id, digest } of theirs) {
        const input = { decision: 'reject', digest, ...defined({ reason }) } as const
        const done = await client.decide(id, input).then(
          () => 1,
          (error) => (isClientError(error) && (error.status ?? 500) < 500 ? 0 : Promise.reject(error)),
        )
        rejected += done
      }
      const left = theirs.length - rejected
      context.terminal.print(
        values.json
          ? safeJson({ rejected, left })
          : `${rejected} rejected${left === 0 ? '' : `; ${left} could not be rejected: decided by somebody else, or not yours to decide`}`,
      )
      return left === 0 ? EXIT.done : EXIT.failed
    }
    const { digest } = await client.get(id)
    return decideRequest(client, id, context, values.json, {
      decision: 'reject',
      digest,
      ...defined({ reason }),
    })
  },
})
