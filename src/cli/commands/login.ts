/** `banksman login` */

import { PERSON_ROLES, type PersonRole } from '../../core/session.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'
import { createLoginCode, ownerOf, tokenHolders } from '../../server/composition/local-gateway.ts'
import { findRunningServer } from '../../server/installation/find-running-server.ts'
import { defineCommand, JSON_OPTION } from '../command-line/command.ts'
import { DATA_OPTION, dataFolderOf } from '../connection/connect.ts'
import { CommandFailure, EXIT, usageError } from '../output/failures.ts'
import { safeJson, visible } from '../output/safe-text.ts'

export const login = defineCommand({
  about: `Prints a link to the inbox that logs a browser in. It works once, within 15 minutes. Whoever opens it first is logged in, so give
it only to the person it is for.

Without options the link is for the owner of this installation. The command needs the data folder of a running server, and therefore
no token: whoever can write there could log in anyway. If the configuration has names:, the link uses the first of them, with https.`,
  options: {
    subject: {
      kind: 'text',
      value: 'NAME',
      about:
        'for another person, who is listed under people: or has a token or an unused link; for anybody else add --new',
    },
    new: { kind: 'flag', about: 'the person named by --subject is new' },
    role: {
      kind: 'text',
      value: 'ROLE',
      about:
        'approver or admin; an admin can also create tokens (default: admin for the owner, approver for others)',
      oneOf: PERSON_ROLES,
    },
    ...JSON_OPTION,
    ...DATA_OPTION,
  },
  examples: [
    { line: 'banksman login', about: 'log your own browser in' },
    { line: 'banksman login --subject ana', about: 'a link for ana, who can then decide requests' },
    { line: 'banksman login --subject eve --new', about: 'a link for somebody new' },
  ],
  async run({ values }, context) {
    const { terminal, environment } = context
    const folder = dataFolderOf(values, context)
    const server = findRunningServer(folder)
    if (server === undefined) {
      throw new CommandFailure(
        'no_server',
        `no server is running on ${folder.path}; start it with \`banksman start\`, which prints a link, or name its data folder with --data or BANKSMAN_DATA`,
      )
    }
    const owner = ownerOf(server)
    const subject = values.subject ?? owner
    const role = (values.role ?? (subject === owner ? 'admin' : 'approver')) as PersonRole
    if (values.new && values.subject === undefined) throw usageError('--new needs --subject')
    if (subject !== owner && !values.new) {
      checkKnown(subject, [owner, ...(server.people ?? []), ...(await tokenHolders(folder, environment))])
    }
    const { code, expiresAt } = await createLoginCode(folder, environment, { subject, role, by: owner })
    const link = `${server.publicUrl ?? server.url}/#login=${code}`
    if (values.json) {
      const until = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }
      terminal.print(safeJson({ link, subject, role, ...until }))
      return EXIT.done
    }
    terminal.note(`For ${visible(subject)} (${role}); it works once, within 15 minutes:`)
    terminal.print(link)
    return EXIT.done
  },
})

const MAX_NAMED = 10

/** A name that was mistyped would make another person, who may decide. */
function checkKnown(subject: string, known: readonly string[]): void {
  const people = [...new Set(known)].sort()
  if (people.includes(subject)) return
  const near = nearestWord(subject, people)
  const named = people.slice(0, MAX_NAMED).join(', ')
  const rest = people.length > MAX_NAMED ? ` and ${people.length - MAX_NAMED} more` : ''
  throw new CommandFailure(
    'unknown_person',
    `${JSON.stringify(subject)} is not known here${near === undefined ? '.' : `; did you mean ${near}?`} Known are ${named}${rest}. For somebody new, add --new`,
  )
}
