/** `banksman requests approve` */
import type { GrantScope, WireRequest } from '../../client/index.ts'
import { type Context, defineCommand, JSON_OPTION } from '../command.ts'
import { CONNECTION_OPTIONS, connect } from '../connect.ts'
import { CommandFailure, usageError } from '../failures.ts'
import { isGrave, requestText } from '../request-text.ts'
import { decideOrTell } from '../tell-decision.ts'

const SCOPES: readonly GrantScope[] = ['once', 'session', 'always']

export const requestsApprove = defineCommand({
  about: `Approves one request. You approve what you were shown: the decision names the digest of the call, and if the
call is not that any more, the server refuses.

At a terminal the call is shown first and you are asked. In a script, give the digest of the call that was looked at
(\`requests show\` prints it), or --yes to approve whatever the request is now, unseen.`,
  positionals: [{ name: 'id', required: true }],
  options: {
    digest: { kind: 'text', value: 'HEX', about: 'approve the call with this digest, and no other' },
    yes: { kind: 'flag', about: 'approve the call as it is now, without being asked; its digest is printed' },
    scope: {
      kind: 'text',
      value: 'SCOPE',
      about: 'once, session or always: whether the same call may run again without asking; once unless given',
      oneOf: SCOPES,
    },
    reason: { kind: 'text', value: 'TEXT', about: 'why, for the record' },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman requests approve req_01hx…', about: 'see the call, then say yes or no' },
    {
      line: 'banksman requests approve req_01hx… --digest 9f86d0…',
      about: 'in a script, after looking at it',
    },
  ],
  async run({ values, positionals: [id = ''] }, context) {
    if (values.digest !== undefined && values.yes) throw usageError('give either --digest or --yes')
    if (values.digest !== undefined && !/^[0-9a-f]{64}$/.test(values.digest)) {
      throw usageError(
        '--digest must be the whole digest, 64 hexadecimal digits, as `requests show` prints it',
      )
    }
    if (values.digest === undefined && !values.yes && !context.terminal.isInteractive) {
      throw usageError(
        'nobody can be asked here: give --digest with the digest of the call that was looked at, or --yes',
      )
    }
    const client = await connect(values, context)
    const digest = values.digest ?? (await readAndAsk(await client.get(id), values.yes, context))
    return decideOrTell(client, id, context, values.json, {
      decision: 'approve',
      digest,
      ...(values.reason === undefined ? {} : { reason: values.reason }),
      ...(values.scope === undefined ? {} : { scope: values.scope as GrantScope }),
    })
  },
})

/** Shows the call, and gives the digest of what was shown once the person has said yes to it. */
async function readAndAsk(request: WireRequest, isSure: boolean, { terminal }: Context): Promise<string> {
  const { locale, paint, columns } = terminal
  if (request.kind === 'question') {
    throw new CommandFailure(
      'decision_not_allowed',
      'this is a question; answer it with `banksman requests watch`, or in the inbox',
    )
  }
  terminal.note(requestText(request, { locale, paint, columns, now: Date.now() }))
  if (request.state !== 'pending' || isSure) return request.digest
  const isGraveRequest = isGrave(request)
  const answer = await terminal.ask(
    isGraveRequest ? '\nThis is a grave one. Type yes to approve it: ' : '\nApprove it? [y/N] ',
  )
  const isYes = isGraveRequest ? answer === 'yes' : /^(y|yes)$/i.test(answer ?? '')
  if (!isYes) throw new CommandFailure('not_confirmed', 'not approved; the request goes on waiting')
  return request.digest
}
