/** Has the person write to the bot, asks whether it was them, and tries a card. */
import { type MeetingParts, type SetUpService, startMeeting } from '../../server/chat-setup/meeting.ts'
import type { ChatRecipe } from '../../server/chat-setup/recipes.ts'
import { hostClock } from '../../server/host/host.ts'
import type { Context } from '../command-line/command.ts'
import { CommandFailure } from '../output/failures.ts'
import { rendered, visible } from '../output/safe-text.ts'
import { stopped } from './ask-settings.ts'

export interface PersonMet {
  recipe: ChatRecipe
  service: SetUpService
  locale: MeetingParts['locale']
  person: string
  /** How to go on where this ends early. */
  goOn: string
  /** Called with the account once the person has said that it is theirs. */
  found(account: string): Promise<void>
}

const PERSON_MS = 600_000
const HINT_MS = 60_000
const CONNECT_MS = 30_000
const MAX_OTHERS = 5
const MAX_NAME = 60

export async function meetPerson(
  { recipe, service, locale, person, goOn, found }: PersonMet,
  { terminal }: Context,
): Promise<void> {
  const { note } = terminal
  const interrupted = Promise.withResolvers<never>()
  interrupted.promise.catch(() => {})
  const connected = Promise.withResolvers<void>()
  const toldFaults = new Set<string>()
  const meeting = startMeeting({
    service,
    locale,
    clock: hostClock,
    onConnected: connected.resolve,
    onFault(error) {
      const said = error instanceof Error ? error.message : String(error)
      if (toldFaults.has(said)) return
      toldFaults.add(said)
      // Somebody else receives for this bot: what is sent may go to either.
      if (/: 409 /.test(said)) interrupted.reject(new CommandFailure('conflict', service.advise(error)))
      else note(`${rendered(said)}. ${service.advise(error)}`)
    },
  })
  const onSignal = () => interrupted.reject(stopped(goOn))
  process.once('SIGINT', onSignal)
  // Timers alone don't keep the process alive.
  const alive = setInterval(() => {}, HINT_MS)
  const wait = <T>(what: Promise<T>): Promise<T> => Promise.race([what, interrupted.promise])
  const withHint = async <T>(what: Promise<T>, hint: string): Promise<T> => {
    const timer = setTimeout(() => note(hint), HINT_MS)
    return wait(what).finally(() => clearTimeout(timer))
  }
  try {
    if (recipe.meanwhile.length > 0) {
      const late = hostClock.after(CONNECT_MS, () =>
        interrupted.reject(new CommandFailure('no_connection', `the long connection did not open; ${goOn}`)),
      )
      await wait(connected.promise)
      late.cancel()
      note(`\n${recipe.meanwhile.join('\n')}`)
    }
    const { bot, address, addressWithCode } = await wait(service.describe())
    for (let others = 0; others < MAX_OTHERS; others++) {
      const code = meeting.newCode()
      const how =
        addressWithCode === undefined
          ? `Open the chat with ${visible(bot)} (${visible(address)}) and send it this code:\n\n  ${code}\n`
          : `Open this address and press Start:\n\n  ${visible(addressWithCode(code))}\n\nOr send this code to ${visible(bot)}: ${code}\n`
      note(`\nNow find your account, ${visible(person)}. ${how}\nWaiting for 10 minutes …`)
      const writer = await withHint(meeting.writer(PERSON_MS), recipe.noMessage)
      if (writer === undefined)
        throw new CommandFailure('timeout', `nobody sent the code within 10 minutes; ${goOn}`)
      const name = writer.name === undefined ? '' : ` It calls itself “${shortName(writer.name)}”.`
      note(`\nThe account ${visible(writer.account)} sent it.${name}`)
      const answer = await terminal.ask('Is this you? Write it to the configuration? [y/N] ')
      if (answer === undefined) throw stopped(goOn)
      if (!/^(?:y|yes)$/i.test(answer)) {
        note('That account is ignored. Somebody else has seen the code, so here is a new one.')
        continue
      }
      await found(writer.account)
      note(`\nA test card is on its way to you. Press its button.`)
      const isClicked = await withHint(meeting.tryCard(writer, PERSON_MS), recipe.noClick)
      if (!isClicked)
        throw new CommandFailure(
          'timeout',
          `nobody pressed the button within 10 minutes. ${recipe.noClick} Your account is written already; ${goOn}`,
        )
      note(terminal.paint('green', 'Your answer arrived: it works in both directions.'))
      return
    }
    throw new CommandFailure('not_confirmed', `${MAX_OTHERS} codes went to other people; ${goOn}`)
  } finally {
    process.removeListener('SIGINT', onSignal)
    clearInterval(alive)
    await meeting.close()
  }
}

/** People choose their names: none may look like words of ours. */
function shortName(name: string): string {
  const shown = [...visible(name).replaceAll(/[“”]/g, '"')]
  return shown.length <= MAX_NAME ? shown.join('') : `${shown.slice(0, MAX_NAME).join('')}…`
}
