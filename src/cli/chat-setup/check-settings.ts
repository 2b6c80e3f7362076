/**
 * Asks for what is needed and tries it with the service, until the service takes it and nothing is in the way. What didn't work is asked
 * again, with the answers of before to keep. Nothing is written here.
 */
import type { ConfiguredChat } from '../../server/channels/channel-registration.ts'
import type { SetUpService } from '../../server/chat-setup/meeting.ts'
import type { ChatRecipe } from '../../server/chat-setup/recipes.ts'
import type { Context } from '../command-line/command.ts'
import { CommandFailure } from '../output/failures.ts'
import { rendered, visible } from '../output/safe-text.ts'
import { askSecret, askSettings, type ChatSettings, type SettingFlags } from './ask-settings.ts'
import { type ConfigurationChange, changedConfiguration } from './change-configuration.ts'

export interface SettingsSource {
  flags: SettingFlags
  /** What stands under the key now. */
  before: Readonly<Record<string, unknown>>
  language: string | undefined
  changesFor(settings: ChatSettings): ConfigurationChange[]
}

export interface CheckedChat {
  service: SetUpService
  settings: ChatSettings
  changes: readonly ConfigurationChange[]
  chat: ConfiguredChat
}

const MAX_TRIES = 5

export async function checkSettings(
  recipe: ChatRecipe,
  { flags, before, language, changesFor }: SettingsSource,
  file: string,
  context: Context,
): Promise<CheckedChat> {
  const { terminal } = context
  let last: { settings: ChatSettings; secret: string } | undefined
  for (let tries = 1; ; tries++) {
    const known = { ...before, ...last?.settings.members }
    const settings = await askSettings(recipe, last ? {} : flags, known, context)
    if (language !== undefined) settings.members.language = language
    const changes = changesFor(settings)
    const { channels } = changedConfiguration(file, changes).configuration
    const chat = channels.find(({ key }) => key === recipe.key)?.chat
    if (chat === undefined) throw new Error(`${recipe.key} is no chat`)
    const secret = await askSecret(recipe, settings.variable, last?.secret, context)
    const environment = { ...context.environment, [settings.variable]: secret }
    const service = await chat.open({ environment, now: () => Date.now() })
    try {
      const { bot } = await service.describe()
      terminal.note(`${terminal.paint('green', 'ok')}  ${recipe.title} knows the bot as ${visible(bot)}.`)
      await clearObstacles(await service.check(chat.chats), context)
      return { service, settings, changes, chat }
    } catch (error) {
      if (error instanceof CommandFailure) throw error
      const said = error instanceof Error ? error.message : String(error)
      const advised = `${rendered(said)}. ${service.advise(error)}`
      if (!terminal.isInteractive || tries >= MAX_TRIES) throw new CommandFailure('refused', advised)
      terminal.note(`\n${terminal.paint('red', "That didn't work.")} ${advised}`)
      last = { settings, secret }
    }
  }
}

type Obstacle = Awaited<ReturnType<SetUpService['check']>>[number]

async function clearObstacles(obstacles: readonly Obstacle[], { terminal }: Context): Promise<void> {
  for (const { detail, advice, isBlocking, remove } of obstacles) {
    const said = rendered(`${detail[0]!.toUpperCase()}${detail.slice(1)}.`)
    if (remove !== undefined && terminal.isInteractive) {
      terminal.note(`\n${said}`)
      const answer = await terminal.ask(`${remove.question} [y/N] `)
      if (!/^(?:y|yes)$/i.test(answer ?? ''))
        throw new CommandFailure('not_confirmed', `nothing was changed; ${rendered(advice)}`)
      await remove.run()
      terminal.note('Removed.')
    } else if (isBlocking) throw new CommandFailure('obstacle', `${said} ${rendered(advice)}`)
    else terminal.note(`${terminal.paint('yellow', 'warn')}  ${said} ${rendered(advice)}`)
  }
}
