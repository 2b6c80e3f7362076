/** `banksman tokens list` */
import type { WireToken } from '../../../client/index.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { safeJson, visible } from '../../output/safe-text.ts'

export const tokensList = defineCommand({
  about: `Lists all tokens, without their secrets, which are not stored. The keys of browsers and of this command line are among them. With --all
it includes tokens that were revoked or have expired; login links are listed only while they can be used.`,
  options: {
    all: { kind: 'flag', about: 'include tokens that were revoked or have expired' },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [{ line: 'banksman tokens list', about: 'who can do what' }],
  async run({ values }, context) {
    const { terminal } = context
    const client = await connect(values, context)
    const { items } = await client.tokens.list()
    const shown = values.all ? items : items.filter((token) => standOf(token) === 'valid')
    if (values.json) terminal.print(safeJson({ items: shown }, 2))
    else for (const token of shown) terminal.print(lineOf(token))
    return EXIT.done
  },
})

function standOf({ revokedAt, expiresAt }: WireToken): 'valid' | 'revoked' | 'expired' {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid'
}

const DAY_MS = 24 * 60 * 60_000

/** What ends within a day is told to the minute. */
function untilOf(expiresAt: string): string {
  const day = expiresAt.slice(0, 10)
  return Date.parse(expiresAt) - Date.now() > DAY_MS ? day : `${day} ${expiresAt.slice(11, 16)} UTC`
}

const minuteOf = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`

function lineOf(token: WireToken): string {
  const { id, use, role, subject, label, scope, lastHook, expiresAt, createdAt, createdBy } = token
  const stand = standOf(token)
  const parts = [
    id,
    role.padEnd(8),
    subject,
    `created ${createdAt.slice(0, 10)} by ${createdBy}`,
    ...(use === 'login' ? ['login link'] : []),
    ...(scope === undefined ? [] : [`only ${scope}`]),
    ...(lastHook === undefined ? [] : [`last event ${minuteOf(lastHook.at)}`]),
    ...(label === undefined ? [] : [label]),
    ...(stand === 'valid'
      ? expiresAt === undefined
        ? []
        : [`until ${untilOf(expiresAt)}`]
      : [stand.toUpperCase()]),
  ]
  return parts.map(visible).join('  ')
}
