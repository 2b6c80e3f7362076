/** `banksman grants list` */

import type { WireGrant } from '../../../client/index.ts'
import { readAllPages } from '../../../core/support/read-pages.ts'
import { grantStateOf, sayGrantState } from '../../../display/words/grant-states.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { wrapWords } from '../../output/fit-to-width.ts'
import { rendered, safeJson, visible } from '../../output/safe-text.ts'

const PAGE = 200

export const grantsList = defineCommand({
  about: `Lists remembered approvals (grants): what each allows and where, who gave it, when and with which request, how often it was used
and how much of it is left. With --all it includes grants that were revoked, used up or have expired. A grant never lifts a deny,
and covers only the rules that required approval when it was given.`,
  options: {
    all: { kind: 'flag', about: 'include grants that were revoked, used up or have expired' },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [{ line: 'banksman grants list', about: 'see what runs without another approval' }],
  async run({ values }, context) {
    const { terminal } = context
    const client = await connect(values, context)
    const all = await readAllPages((next) => client.grants({ limit: PAGE, ...next }))
    const shown = values.all ? all : all.filter((grant) => grantStateOf(grant, Date.now()) === 'live')
    if (values.json) {
      terminal.print(safeJson({ items: shown }, 2))
      return EXIT.done
    }
    for (const grant of shown) {
      for (const line of linesOf(grant)) terminal.print(wrapWords(line, terminal.columns).join('\n'))
    }
    if (shown.length === 0)
      terminal.note(all.length === 0 ? 'No grants.' : 'No active grants. --all lists the others.')
    return EXIT.done
  },
})

function linesOf(grant: WireGrant): string[] {
  const { id, words, tool, createdBy, createdAt, requestId, uses, usesLeft, expiresAt, revoked, rules } =
    grant
  const state = grantStateOf(grant, Date.now())
  const facts = [
    whereOf(grant),
    `by ${visible(createdBy)} on ${momentOf(createdAt)} with ${visible(requestId)}`,
    `used ${uses} ${uses === 1 ? 'time' : 'times'}${usesLeft === undefined ? '' : `, ${usesLeft} left`}`,
    ...(expiresAt === undefined ? [] : [`until ${momentOf(expiresAt)}`]),
    ...(revoked === undefined ? [] : [`revoked by ${visible(revoked.by)} on ${momentOf(revoked.at)}`]),
  ]
  return [
    `${visible(id)}  ${visible(tool)}: ${rendered(words).replaceAll('\n', ' ')}${state === 'live' ? '' : `  ${sayGrantState(state, 'en').toUpperCase()}`}`,
    `  ${facts.join('; ')}`,
    `  covers rules: ${rules.map(visible).join(', ')}`,
  ]
}

function whereOf({ session, includeSubSessions }: WireGrant): string {
  if (session === undefined) return 'in every session'
  return `in session ${visible(session)}${includeSubSessions === true ? ' and what it starts' : ''}`
}

/** `2026-11-15 17:20 UTC` */
function momentOf(time: string): string {
  return `${visible(time).slice(0, 16).replace('T', ' ')} UTC`
}
