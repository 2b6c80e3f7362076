/**
 * Finds the server and the credential to talk to it with. A token is never taken as an argument, where others could
 * read it; whoever owns the data folder needs none, and that owner's key goes only to the server that runs on it.
 */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Client, createClient } from '../../client/index.ts'
import { openLocalCredential } from '../../server/composition/local-credential.ts'
import { type DataFolder, dataFolderAt } from '../../server/installation/data-folder.ts'
import { findRunningServer } from '../../server/installation/find-running-server.ts'
import type { Context } from '../command-line/command.ts'
import type { OptionSpecs, ValuesOf } from '../command-line/option-specs.ts'
import { CommandFailure } from '../output/failures.ts'
import { readTextFile } from './read-text-file.ts'

export const DATA_OPTION = {
  data: {
    kind: 'text',
    value: 'FOLDER',
    about: 'the data folder (default: BANKSMAN_DATA, or .banksman in the current folder)',
  },
} as const satisfies OptionSpecs

export const CONNECTION_OPTIONS = {
  url: {
    kind: 'text',
    value: 'URL',
    about:
      'the server, such as http://127.0.0.1:4790 (default: BANKSMAN_URL, or the one that runs on the data folder)',
  },
  'token-file': {
    kind: 'text',
    value: 'FILE',
    about: 'a file with the token (default: BANKSMAN_TOKEN). The owner of the data folder needs none',
  },
  ...DATA_OPTION,
} as const satisfies OptionSpecs

export type ConnectionValues = ValuesOf<typeof CONNECTION_OPTIONS>

export async function connect(values: ConnectionValues, context: Context): Promise<Client> {
  const { environment, terminal } = context
  const folder = dataFolderOf(values, context)
  const named = values.url ?? (environment.BANKSMAN_URL || undefined)
  const given = tokenOf(values, context)
  if (named !== undefined && given !== undefined) return open(named, given)

  const running = findRunningServer(folder)
  const url = named ?? running?.url
  if (url === undefined) {
    throw new CommandFailure(
      'no_server',
      `no server is running on ${folder.path}. Start one with \`banksman start\`, or name its data folder with --data or BANKSMAN_DATA, or its address with --url or BANKSMAN_URL`,
    )
  }
  if (given !== undefined) return open(url, given)
  if (running === undefined || originOf(url) !== originOf(running.url)) {
    throw new CommandFailure(
      'no_token',
      `${url} needs a token: it isn't the server that runs on ${folder.path}, whose owner needs none. Pass --token-file FILE, or set BANKSMAN_TOKEN`,
    )
  }
  return open(url, await openLocalCredential(folder, running, environment))

  function open(url: string, token: string): Client {
    if (originOf(url) === undefined) {
      throw new CommandFailure(
        'invalid',
        `${JSON.stringify(url)} isn't the address of a server; write it like http://127.0.0.1:4790`,
      )
    }
    return createClient({ url, token, language: terminal.locale })
  }
}

/** Where people open the inbox of the server that `connect` finds, as `login` writes it. */
export function inboxUrl(values: ConnectionValues, context: Context): string {
  const named = values.url ?? context.environment.BANKSMAN_URL
  const running = findRunningServer(dataFolderOf(values, context))
  const isOurs = !named || originOf(named) === originOf(running?.url ?? '')
  return (isOurs ? (running?.publicUrl ?? running?.url) : named) ?? ''
}

export function dataFolderOf(
  values: ValuesOf<typeof DATA_OPTION>,
  { environment, cwd }: Context,
): DataFolder {
  return dataFolderAt(resolve(cwd, values.data ?? (environment.BANKSMAN_DATA || '.banksman')))
}

/** Whether a server was named, and not only a data folder. */
export function isRemote(values: ConnectionValues, { environment }: Context): boolean {
  return Boolean(values.url ?? environment.BANKSMAN_URL)
}

/** The token that was given; undefined where none was. */
export function tokenOf(
  values: ConnectionValues,
  { environment, cwd, terminal }: Context,
): string | undefined {
  const file = values['token-file']
  if (file === undefined) return environment.BANKSMAN_TOKEN?.trim() || undefined
  const path = resolve(cwd, file)
  // The file of a hook has it as the header that curl sends.
  const token = readTextFile(path)
    .replace(/^Authorization: Bearer /, '')
    .trim()
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new CommandFailure('invalid', `${path} doesn't contain a token: it should be one line, like bmp_…`)
  }
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    terminal.note(`banksman: others can read ${path}; run: chmod 600 ${path}`)
  }
  return token
}

function originOf(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed?.protocol === 'http:' || parsed?.protocol === 'https:' ? parsed.origin : undefined
}
