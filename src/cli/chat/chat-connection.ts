/**
 * The line between a terminal and an agent. The agent is that of a running server, or of one that runs inside this very
 * process and ends with it; it is talked to in the same way, as a person with a credential, so what holds over the
 * network holds here too. The one inside has a port of its own on this machine: whatever waits can be answered in the
 * inbox and with the other commands as well.
 */
import { randomInt } from 'node:crypto'
import { type Client, isClientError, type WireSession } from '../../client/index.ts'
import { defined } from '../../core/defined.ts'
import { findRunningServer } from '../../server/installation/find-running-server.ts'
import type { Context } from '../command-line/command.ts'
import { configurationPath } from '../connection/configuration-file.ts'
import { type ConnectionValues, connect, dataFolderOf, inboxUrl, isRemote } from '../connection/connect.ts'
import { CommandFailure, usageError } from '../output/failures.ts'
import type { Log } from '../output/log.ts'
import { visible } from '../output/safe-text.ts'

export interface ChatConnection {
  readonly client: Client
  /** Who talks. */
  readonly self: string
  readonly session: string
  /** Whom the first message is for, where it isn't the default agent. */
  readonly agent: { agent?: string }
  /** The conversation as it was found; undefined for a new one. */
  readonly found: WireSession | undefined
  /** What answers, where it runs inside this process: a model and why that one. */
  readonly embedded: string | undefined
  /** The address of the inbox. */
  readonly url: string
  close(): Promise<void>
}

export interface ChatConnectionOptions {
  values: ConnectionValues & {
    embedded: boolean
    config: string | undefined
    session: string | undefined
    agent: string | undefined
  }
  context: Context
  /** Told what a server inside this process has to say. */
  log: Log
}

export async function openChatConnection(options: ChatConnectionOptions): Promise<ChatConnection> {
  const name = checkName(options.values.session ?? newName())
  const { client, url, embedded, close } = await reach(options)
  try {
    const { subject, role } = await client.me()
    if (role === 'agent') {
      throw new CommandFailure(
        'forbidden',
        "this is an agent's token, and talking to the agent is for people: use the token of a person, or none if the data folder is yours",
      )
    }
    const found = await findConversation(client, name, subject)
    // It is fixed by the first message of a conversation.
    const agent = found === undefined ? defined({ agent: options.values.agent }) : {}
    return { client, self: subject, session: name, agent, found, embedded, url, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Reached {
  client: Client
  url: string
  embedded: string | undefined
  close(): Promise<void>
}

async function reach(options: ChatConnectionOptions): Promise<Reached> {
  const { values, context } = options
  const remote = isRemote(values, context)
  const running = findRunningServer(dataFolderOf(values, context))
  if (values.embedded) {
    if (values.url !== undefined) throw usageError('give either --embedded or --url')
    if (running !== undefined) {
      throw new CommandFailure(
        'data_folder_in_use',
        `a server already runs on this data folder (process ${running.pid}, ${running.url}): leave --embedded out to talk to its agent, or stop it`,
      )
    }
    return embed(options)
  }
  if (remote || running !== undefined) {
    const client = await connect(values, context)
    return { client, url: inboxUrl(values, context), embedded: undefined, close: async () => {} }
  }
  return embed(options)
}

/** A server with its agent, inside this process. */
async function embed({ values, context, log }: ChatConnectionOptions): Promise<Reached> {
  const { environment } = context
  const configuration = configurationPath(values.config, context)
  const { findModel } = await import('../../server/configuration/find-model.ts')
  const model = findModel({ configuration, environment })
  const folder = dataFolderOf(values, context)
  if (model.kind === 'none') throw noModel(folder.path, configuration, model.untrusted)
  const { startServer } = await import('../../server/start-server.ts')
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    data: folder.path,
    configuration,
    environment,
    report: ({ doing, error }) => log(`${doing}: ${error instanceof Error ? error.message : String(error)}`),
    say: log,
  })
  try {
    // A token in the environment is for another server; here it is the owner of the data folder who talks.
    const own = { ...context, environment: { ...environment, BANKSMAN_URL: '', BANKSMAN_TOKEN: '' } }
    const client = await connect({ ...values, 'token-file': undefined }, own)
    return { client, url: server.url, embedded: server.agent?.because ?? '', close: () => server.close() }
  } catch (error) {
    await server.close()
    throw error
  }
}

function noModel(folder: string, configuration: string, isUntrusted: boolean): CommandFailure {
  const trust = isUntrusted
    ? ` Nobody has trusted ${configuration} yet; if it names a model, run: banksman trust ${configuration}.`
    : ''
  return new CommandFailure(
    'no_server',
    `there is nobody to talk to: no server is running on ${folder}, and no model is configured for an agent in this chat.${trust}
  To try it without a model: run \`banksman start --demo\` in another terminal, then this again.
  For an agent here: set ANTHROPIC_API_KEY, OPENAI_BASE_URL or OLLAMA_HOST, or name a model under agent: in ${configuration}.
  For a server elsewhere: give --url, or --data with its data folder.`,
  )
}

async function findConversation(
  client: Client,
  name: string,
  self: string,
): Promise<WireSession | undefined> {
  try {
    // Whether there is an agent at all is said now, not after the first words.
    await client.turns(name, { limit: 1 })
    const found = await client.session(name)
    if (found.owner !== self) throw notYours(name, found.owner)
    if (found.ended !== undefined) {
      const { by, reason } = found.ended
      throw new CommandFailure(
        'session_ended',
        `the conversation ${visible(name)} was ended by ${visible(by)}${reason === undefined ? '' : `: ${visible(reason)}`}. Begin another: banksman chat`,
      )
    }
    return found
  } catch (error) {
    if (isClientError(error, 'unknown_id')) return undefined
    throw error
  }
}

function notYours(name: string, owner: string): CommandFailure {
  return new CommandFailure(
    'not_yours',
    `the conversation ${visible(name)} belongs to ${visible(owner)}; choose another name with --session`,
  )
}

/** Longer ones are refused by the server as well. */
const MOST_NAME = 256

function checkName(name: string): string {
  if (name.length <= MOST_NAME && name !== '.' && name !== '..' && /^[^\p{C}\p{Z}]+$/u.test(name)) return name
  throw usageError(
    `--session must be a name without blanks, of at most ${MOST_NAME} characters, like chat-1; found ${visible(JSON.stringify(name))}`,
  )
}

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Short enough to be typed again, and unlikely to be somebody's already. */
function newName(): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  return `chat-${day}-${Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`
}
