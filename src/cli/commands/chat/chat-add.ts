/** `banksman chat add` */
import { digestOf } from '../../../core/digest.ts'
import { CHAT_RECIPES, type ChatRecipe } from '../../../server/chat-setup/recipes.ts'
import { readConfiguration } from '../../../server/configuration/configuration.ts'
import { parsePlaced } from '../../../server/configuration/placed-document.ts'
import { userName } from '../../../server/host/user-name.ts'
import { findRunningServer } from '../../../server/installation/find-running-server.ts'
import { type ChatSettings, stopped } from '../../chat-setup/ask-settings.ts'
import { type ConfigurationChange, changeConfiguration } from '../../chat-setup/change-configuration.ts'
import { checkSettings } from '../../chat-setup/check-settings.ts'
import { meetPerson } from '../../chat-setup/meet-person.ts'
import { offerSessions } from '../../chat-setup/offer-sessions.ts'
import { type Context, defineCommand } from '../../command-line/command.ts'
import {
  CONFIG_OPTION,
  CONFIGURATION_NAME,
  configurationPath,
  readConfigurationText,
} from '../../connection/configuration-file.ts'
import { DATA_OPTION, dataFolderOf } from '../../connection/connect.ts'
import { CommandFailure, EXIT, usageError } from '../../output/failures.ts'
import { visible } from '../../output/safe-text.ts'

const SERVICES = CHAT_RECIPES.map(({ key }) => key)

export const chatAdd = defineCommand({
  about: `Sets up a chat in which people can approve: Telegram, Feishu or Lark. In a terminal it asks for the settings one by one and says
where in the service's console to find them. It checks them with the service, shows you the change and writes it to
${CONFIGURATION_NAME}, finds your account by a code that you send to the bot, and sends a test card. Finally it offers to run coding
sessions from the chat.

You type secrets without seeing them, or they come from an environment variable. They are never written to a file: the server
reads them from the same variable.

Without a terminal, give every setting as an option. It then checks and writes the settings but links no account: use
\`banksman link\` for that.`,
  positionals: [{ name: 'service', required: false }],
  options: {
    person: { kind: 'text', value: 'NAME', about: 'whose account it is (default: the owner)' },
    language: {
      kind: 'text',
      value: 'LANGUAGE',
      oneOf: ['en', 'zh'],
      about: 'the language of cards: en or zh (default: as the configuration says)',
    },
    'app-id': { kind: 'text', value: 'ID', about: 'Feishu, Lark: the App ID, cli_…' },
    domain: { kind: 'text', value: 'DOMAIN', about: 'Feishu, Lark: feishu, lark, or an address of your own' },
    'app-secret-env': {
      kind: 'text',
      value: 'NAME',
      about: 'Feishu, Lark: the variable with the App Secret (default: FEISHU_APP_SECRET)',
    },
    'token-env': {
      kind: 'text',
      value: 'NAME',
      about: 'Telegram: the variable with the token (default: TELEGRAM_BOT_TOKEN)',
    },
    api: { kind: 'text', value: 'URL', about: 'Telegram: a Bot API server of your own' },
    sessions: {
      kind: 'text',
      value: 'FOLDER',
      about: 'also run coding sessions from this chat, in this folder; in a terminal it asks',
    },
    yes: { kind: 'flag', about: 'write the configuration without asking' },
    ...CONFIG_OPTION,
    ...DATA_OPTION,
  },
  examples: [
    { line: 'banksman chat add telegram', about: 'asks for the bot’s token, then finds your account' },
    { line: 'banksman chat add feishu', about: 'Feishu or Lark' },
    {
      line: 'banksman chat add feishu --app-id cli_a1b2c3d4e5f60718 --domain lark --yes',
      about: 'in a script, with FEISHU_APP_SECRET set',
    },
  ],
  async run({ values, positionals: [named] }, context) {
    const { terminal } = context
    const recipe = await chooseRecipe(named, context)
    const { person: _, language: __, sessions, yes, config, data, ...flags } = values
    checkFlags(recipe, flags)
    const file = configurationPath(config, context)
    const text = readConfigurationText(file) ?? ''
    const { owner } = readConfiguration(text, file, userName())
    const running = findRunningServer(dataFolderOf({ data }, context))
    if (running !== undefined && (running.startedWith?.[recipe.key] ?? ABSENT) !== ABSENT)
      throw new CommandFailure(
        'conflict',
        `the server that runs here (${running.url}) already uses ${recipe.title}. To link another account, run \`banksman link ${recipe.key}\`. To set it up again, stop the server first`,
      )
    if (!terminal.isInteractive && !yes)
      throw usageError(
        `this needs a terminal to confirm at; pass --yes to write ${file} without confirmation`,
      )
    if (terminal.isInteractive) terminal.note(recipe.before.join('\n'))
    const before = membersUnder(text, file, recipe.key)
    const { service, settings, changes, chat } = await checkSettings(
      recipe,
      {
        flags,
        before,
        language: values.language,
        changesFor: (found) => changesOf(recipe, found, text, file),
      },
      file,
      context,
    )
    await changeConfiguration(changes, { file, isAgreed: yes, otherwise: 'nothing was written' }, context)
    const person = values.person ?? owner
    if (!terminal.isInteractive || chat.isCalled) {
      terminal.note(`No account is linked yet: start the server, then run: banksman link ${recipe.key}`)
    } else {
      await meetPerson(
        {
          recipe,
          service,
          locale: chat.locale,
          person,
          goOn: `the configuration is as written above; start the server with \`banksman start\`, and link your account with \`banksman link ${recipe.key}\``,
          found: (account) =>
            changeConfiguration(
              [[['people', person, recipe.key], asWritten(account)]],
              { file, isAgreed: true, otherwise: 'your account was not written' },
              context,
            ),
        },
        context,
      )
    }
    const folder = await offerSessions({ file, folder: sessions, isAgreed: yes }, context)
    sayNext(recipe, settings, { isRunning: running !== undefined, folder }, context)
    return EXIT.done
  },
})

/** What a server that was started without the key has noted of it. */
const ABSENT = digestOf('')

async function chooseRecipe(named: string | undefined, { terminal }: Context): Promise<ChatRecipe> {
  const wanted =
    named ?? (terminal.isInteractive ? await terminal.ask(`Which service? [${SERVICES.join(' or ')}] `) : '')
  if (named === undefined && wanted === undefined) throw stopped('nothing was written')
  const word = wanted?.toLowerCase() === 'lark' ? 'feishu' : wanted?.toLowerCase()
  const recipe = CHAT_RECIPES.find(({ key }) => key === word)
  if (recipe !== undefined) return recipe
  const found = wanted ? `; found ${visible(JSON.stringify(wanted))}` : ''
  throw usageError(`name the service: one of ${SERVICES.join(', ')}${found}`)
}

function flagsOf({ questions, secret }: ChatRecipe): string[] {
  return [...questions.map(({ flag }) => flag), secret.flag]
}

function checkFlags(recipe: ChatRecipe, flags: Readonly<Record<string, string | undefined>>): void {
  const own = flagsOf(recipe)
  const wrong = Object.keys(flags).find((flag) => flags[flag] !== undefined && !own.includes(flag))
  if (wrong !== undefined)
    throw usageError(
      `--${wrong} is not for ${recipe.title}, which has ${own.map((flag) => `--${flag}`).join(', ')}`,
    )
}

function membersUnder(text: string, file: string, key: string): Record<string, unknown> {
  const value = (parsePlaced(text, file).value as Record<string, unknown>)[key]
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** What is there already and isn't asked for stays. */
function changesOf(
  { key }: ChatRecipe,
  { members }: ChatSettings,
  text: string,
  file: string,
): ConfigurationChange[] {
  const isThere = Object.hasOwn(parsePlaced(text, file).value as object, key)
  if (!isThere) return [[[key], members]]
  return Object.entries(members).map(([member, value]) => [[key, member], value])
}

/** An account of digits alone is a number, as people write it. */
function asWritten(account: string): string | number {
  return /^[1-9]\d{0,14}$/.test(account) ? Number(account) : account
}

function sayNext(
  { packages, title }: ChatRecipe,
  { variable }: ChatSettings,
  { isRunning, folder }: { isRunning: boolean; folder: string | undefined },
  { terminal, environment }: Context,
): void {
  const wanted = [...packages, ...(folder === undefined ? [] : ['@anthropic-ai/claude-agent-sdk'])]
  const install = wanted.length === 0 ? [] : [`  npm install ${wanted.join(' ')}`]
  const secret = environment[variable]
    ? []
    : [
        `  read -rs ${variable} && export ${variable}      paste the secret, press Enter; it is not shown and not kept in the history`,
      ]
  const start = isRunning ? 'stop the server and start it again' : 'the server'
  terminal.print(
    [
      `${title} is set up. Next, in the shell that starts the server:`,
      ...install,
      ...secret,
      `  banksman start      ${start}`,
      ...(folder === undefined
        ? []
        : [
            `Then send the bot //new ${visible(folder)}, followed by what to do. The sessions need a credential for Claude, such as CLAUDE_CODE_OAUTH_TOKEN (\`claude setup-token\` makes one)`,
          ]),
    ].join('\n'),
  )
  if (secret.length > 0)
    terminal.note(
      `If a service manager starts the server, set ${variable} there, in a file that only its user can read.`,
    )
}
