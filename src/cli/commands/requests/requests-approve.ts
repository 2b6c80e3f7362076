/** `banksman requests approve` */

import type { Client, DecisionInput, WireRequest } from '../../../client/index.ts'
import { defined } from '../../../core/defined.ts'
import { isHighRisk } from '../../../core/verdict.ts'
import { type Context, defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { GRANT_OPTIONS, grantInput } from '../../command-line/grant-options.ts'
import { CONNECTION_OPTIONS, connect, inboxUrl } from '../../connection/connect.ts'
import { decideRequest } from '../../connection/decide-request.ts'
import { CommandFailure, usageError } from '../../output/failures.ts'
import { type InboxLink, inboxLinkFor } from '../../output/inbox-link.ts'
import { requestText } from '../../output/request-text.ts'
import { visible } from '../../output/safe-text.ts'
import { suggestionsOf, suggestionsText } from '../../output/suggestion-text.ts'

export const requestsApprove = defineCommand({
  about: `Approves one request. You approve what you were shown: the decision names the digest of the call, and if the call has changed since, the
server refuses.

In a terminal the call is shown first and you are asked to confirm. In a script, give the digest of the call that you looked at
(\`requests show\` prints it), or --yes to approve the call as it is now without looking.

An approval is for this one call. With --scope it is remembered: for exactly this call, or with --grant for one of the wider choices
that \`requests show\` lists; --for and --uses limit it. \`grants list\` shows what is remembered, and \`grants revoke\` removes it.
If several people must approve, the narrowest of their choices is remembered.`,
  positionals: [{ name: 'id', required: true }],
  options: {
    digest: { kind: 'text', value: 'HEX', about: 'approve the call with this digest, and no other' },
    yes: { kind: 'flag', about: 'approve the call as it is now without asking, and print its digest' },
    ...GRANT_OPTIONS,
    reason: { kind: 'text', value: 'TEXT', about: 'why, for the record' },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman requests approve req_01hx…', about: 'see the call, then confirm' },
    {
      line: 'banksman requests approve req_01hx… --digest 9f86d0…',
      about: 'in a script, after looking at it',
    },
    {
      line: 'banksman requests approve req_01hx… --scope session --grant shape --for 1h --uses 5',
      about: 'also allow the next five calls of this kind, for an hour',
    },
  ],
  async run({ values, positionals: [id = ''] }, context) {
    if (values.digest !== undefined && values.yes) throw usageError('pass either --digest or --yes, not both')
    if (values.digest !== undefined && !/^[0-9a-f]{64}$/.test(values.digest)) {
      throw usageError(
        '--digest must be the whole digest, 64 hexadecimal digits, as `requests show` prints it',
      )
    }
    if (values.digest === undefined && !values.yes && !context.terminal.isInteractive) {
      throw usageError(
        'this needs a terminal to confirm at: pass --digest with the digest of the call that you looked at, or --yes',
      )
    }
    const remembered = grantInput(values)
    const client = await connect(values, context)
    const inbox = { url: inboxUrl(values, context), locale: context.terminal.locale }
    const request = await client.get(id)
    if (values.digest === undefined) show(request, context)
    checkPlace(request, inbox)
    const digest = values.digest ?? (await ask(client, request, remembered, values.yes, context))
    return decideRequest(client, id, context, values.json, {
      decision: 'approve',
      digest,
      ...defined({ reason: values.reason }),
      ...remembered,
    })
  },
})

function show(request: WireRequest, { terminal }: Context): void {
  if (request.kind === 'question') {
    throw new CommandFailure(
      'decision_not_allowed',
      'this is a question; answer it with `banksman requests watch`, or in the inbox',
    )
  }
  const { locale, paint, columns } = terminal
  terminal.note(requestText(request, { locale, paint, columns, now: Date.now() }))
}

function checkPlace(request: WireRequest, inbox: InboxLink): void {
  const elsewhere = request.state === 'pending' ? inboxLinkFor(request, inbox) : undefined
  if (elsewhere !== undefined) throw new CommandFailure('uncover_first', elsewhere)
}

/** Gives the digest of what was shown once the person has said yes to it. */
async function ask(
  client: Client,
  request: WireRequest,
  remembered: Pick<DecisionInput, 'scope' | 'grant'>,
  isSure: boolean,
  context: Context,
): Promise<string> {
  const { terminal } = context
  if (remembered.scope !== undefined && remembered.scope !== 'once') {
    await showRemembered(client, request, remembered.grant?.suggestion ?? 'call', context)
  }
  if (request.state !== 'pending' || isSure) return request.digest
  const mustTypeYes = isHighRisk(request.severity)
  const answer = await terminal.ask(
    mustTypeYes ? '\nHigh-risk call. Type yes to approve it: ' : '\nApprove it? [y/N] ',
  )
  const isYes = mustTypeYes ? answer === 'yes' : /^(y|yes)$/i.test(answer ?? '')
  if (!isYes) throw new CommandFailure('not_confirmed', 'not approved; the request stays pending')
  return request.digest
}

/** What is allowed beyond this call is read before it is allowed, too. */
async function showRemembered(
  client: Client,
  request: WireRequest,
  suggestion: string,
  { terminal }: Context,
): Promise<void> {
  const { locale, paint, columns } = terminal
  const suggestions = await suggestionsOf(client, request)
  if (suggestions.length === 0) return
  const chosen = suggestions.filter(({ id }) => id === suggestion)
  if (chosen.length === 0) {
    const ids = suggestions.map(({ id }) => id).join(', ')
    throw usageError(`--grant ${visible(suggestion)} is not offered on this request; it takes ${ids}`)
  }
  terminal.note(`\n${suggestionsText(chosen, { locale, paint, columns, now: Date.now() })}`)
}
