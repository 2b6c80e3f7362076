/** What `doctor` finds of each chat that is configured: its secrets, what the service says of the bot, and whether anybody can be asked. */
import { ACCOUNT_LINKS } from '../../core/authority.ts'
import { isBanksmanError } from '../../core/errors.ts'
import { type Finding, findingsAbout } from '../../core/support/finding.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import type { ConfiguredChannel, ConfiguredChat } from '../channels/channel-registration.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { DataFolder } from '../installation/data-folder.ts'
import { openLocalStore } from '../installation/open-local-store.ts'

export interface InspectedChats {
  configuration: Pick<Configuration, 'channels' | 'people'>
  folder: DataFolder
  environment: Readonly<Record<string, string | undefined>>
  /** A server runs on the folder: its environment may have more than ours. */
  hasServer: boolean
}

/** Each call of a service has ten seconds; a few of them follow each other. */
const WITHIN_MS = 25_000

export async function inspectChats(inspected: InspectedChats): Promise<Finding[]> {
  const findings = inspected.configuration.channels.map(({ key, chat }: ConfiguredChannel) =>
    chat === undefined
      ? []
      : Promise.all([inspectService(key, chat, inspected), inspectAccounts(key, inspected)]),
  )
  return (await Promise.all(findings)).flat(2)
}

async function inspectService(
  key: string,
  chat: ConfiguredChat,
  { environment, hasServer }: InspectedChats,
): Promise<Finding[]> {
  const { ok, warning, problem } = findingsAbout(key)
  let service: Awaited<ReturnType<ConfiguredChat['open']>>
  try {
    service = await chat.open({ environment: { ...environment }, now: () => Date.now() })
  } catch (error) {
    if (!isBanksmanError(error, 'invalid_configuration')) throw error
    const advice =
      'set it, then start the server from the same shell; `banksman chat add` asks for it and checks it'
    return [
      hasServer
        ? warning(`${error.message} here; the server may have it`, advice)
        : problem(error.message, advice),
    ]
  }
  const how = chat.isCalled ? 'it is called at its webhook' : key === 'telegram' ? 'it polls' : 'it connects'
  const look = async (): Promise<Finding[]> => {
    const { bot } = await service.describe()
    const obstacles = await service.check(chat.chats)
    return [
      ok(`the credentials work: the bot is ${bot}, and ${how}`),
      ...obstacles.map(({ detail, advice, isBlocking }) => (isBlocking ? problem : warning)(detail, advice)),
    ]
  }
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`${key} did not answer within ${WITHIN_MS / 1000} seconds`)),
    WITHIN_MS,
  )
  return Promise.race([look(), late.promise])
    .catch((error: unknown) => [
      problem(error instanceof Error ? error.message : String(error), service.advise(error)),
    ])
    .finally(() => clearTimeout(timer))
}

async function inspectAccounts(
  key: string,
  { configuration, ...installation }: InspectedChats,
): Promise<Finding[]> {
  const { ok, warning } = findingsAbout(`${key} accounts`)
  const people = [...configuration.people].filter(([, { accounts }]) => accounts?.has(key))
  const links = await countLinks(key, installation)
  if (people.length > 0 || (links ?? 0) > 0) {
    const written = people.map(([name]) => name).join(', ') || 'nobody'
    return [
      ok(`in the configuration: ${written}; linked by hand: ${links ?? 'not known, no server runs here'}`),
    ]
  }
  const unknown =
    links === undefined ? ' in the configuration (links are not known while no server runs here)' : ''
  return [
    warning(
      `nobody has an account${unknown}, so nobody can answer there`,
      `run \`banksman chat add ${key}\`, or with the server running \`banksman link\``,
    ),
  ]
}

/** Undefined: not known. Opening a store brings it to this version, so it is opened only where a server has done so already, and runs. */
async function countLinks(
  service: string,
  { folder, environment, hasServer }: Omit<InspectedChats, 'configuration'>,
): Promise<number | undefined> {
  const store = hasServer ? await openLocalStore(folder, environment).catch(() => undefined) : undefined
  if (store === undefined) return undefined
  const prefix = `${JSON.stringify([service]).slice(0, -1)},`
  try {
    return (await readAllPages((next) => store.records.list({ kind: ACCOUNT_LINKS, prefix, ...next }))).length
  } finally {
    await store.close()
  }
}
