/** `banksman requests list` */

import type { RequestState } from '../../../client/index.ts'
import { defined } from '../../../core/defined.ts'
import { STATES } from '../../../core/request.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT, usageError } from '../../output/failures.ts'
import { requestLine } from '../../output/request-text.ts'
import { safeJson, visible } from '../../output/safe-text.ts'

const MOST = 200

export const requestsList = defineCommand({
  about: `Lists requests in one state, the most urgent first; without --state, the pending ones. Each line has the id, the age, the
risk if it is high, and the call in short. \`requests show\` shows a call in full.`,
  options: {
    state: { kind: 'text', value: 'STATE', about: `one of ${STATES.join(', ')}`, oneOf: STATES },
    session: { kind: 'text', value: 'ID', about: 'only those of this session' },
    limit: { kind: 'text', value: 'NUMBER', about: `how many, at most ${MOST} (default: 50)` },
    cursor: { kind: 'text', value: 'CURSOR', about: 'continue after the last page' },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman requests list', about: 'list pending requests' },
    { line: 'banksman requests list --state unknown', about: 'list calls whose runner stopped responding' },
    { line: "banksman requests list --json | jq '.items[].id'", about: 'for programs' },
  ],
  async run({ values }, context) {
    const { terminal } = context
    const { session, cursor } = values
    const state = (values.state ?? 'pending') as RequestState
    const limit = limitOf(values.limit)
    const client = await connect(values, context)
    const page = await client.list({ state, limit, ...defined({ session, cursor }) })
    if (values.json) {
      terminal.print(safeJson(page, 2))
      return EXIT.done
    }
    const { locale, paint, columns } = terminal
    for (const request of page.items) {
      terminal.print(requestLine(request, { locale, paint, columns, now: Date.now() }))
    }
    if (page.items.length === 0)
      terminal.note(state === 'pending' ? 'No pending requests.' : `No requests in the state ${state}.`)
    if (page.cursor !== undefined) terminal.note(`There are more: --cursor ${visible(page.cursor)}`)
    return EXIT.done
  },
})

function limitOf(text: string | undefined): number {
  if (text === undefined) return 50
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MOST)
    throw usageError(`--limit must be a number from 1 to ${MOST}; found ${visible(text)}`)
  return limit
}
