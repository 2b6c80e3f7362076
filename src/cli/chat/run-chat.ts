/** Runs a chat at a terminal: joins the keyboard, the conversation, its requests and the display to the pure part. */
import type { Context } from '../command-line/command.ts'
import type { Log } from '../output/log.ts'
import { rendered, visible } from '../output/safe-text.ts'
import { editArguments } from '../watch/edit-arguments.ts'
import { openKeyboard } from '../watch/keys.ts'
import { detailOf, perform } from '../watch/perform.ts'
import type { WatchAction, WatchInput } from '../watch/watch-state.ts'
import { watchWords } from '../watch/watch-words.ts'
import { feedWatch, pressChatKey, pressChatKeys } from './advance-chat.ts'
import type { ChatConnection } from './chat-connection.ts'
import { createChatConversation } from './chat-conversation.ts'
import { createChatDisplay } from './chat-display.ts'
import { createKeyReader } from './chat-keys.ts'
import { createChatRequests } from './chat-requests.ts'
import { showChatOutput } from './chat-screen.ts'
import { type ChatAction, type ChatStep, initialChatState, isRunning } from './chat-state.ts'
import { type CliChatWords, chatWords } from './chat-words.ts'

/** Resolves when the person leaves; throws when the agent will not be heard again. `hear` is given what a server inside says. */
export async function runChat(
  connection: ChatConnection,
  { terminal, environment }: Context,
  hear: (log: Log) => void,
): Promise<void> {
  const { client, self, url, found } = connection
  const { locale, paint } = terminal
  const words = { chat: chatWords(locale), watch: watchWords(locale) }
  const stop = new AbortController()
  const { signal } = stop
  const leave = () => stop.abort()
  let failure: { error: unknown } | undefined
  const fail = (error: unknown) => {
    if (signal.aborted) return
    failure = { error }
    leave()
  }
  const clock = () => performance.now()
  const display = createChatDisplay({ terminal }, initialChatState(self, { url, locale }), signal)
  const { warn } = display
  const requests = createChatRequests({ client, words: words.chat, signal, clock, feed, warn })
  const ask = (request: string) => void requests.ask(request)
  const conversation = createChatConversation({
    connection,
    display,
    words: words.chat,
    signal,
    ask,
    leave,
    fail,
  })
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  hear(warn)
  const keyboard = openKeyboard(
    process.stdin,
    createKeyReader(),
    (keys, isBurst) => {
      display.later(() => {
        if (isBurst) take(pressChatKeys(display.state(), keys, clock(), words))
        else for (const key of keys) take(pressChatKey(display.state(), key, clock(), words))
      })
    },
    leave,
  )
  display.open()
  for (const name of SIGNALS) process.on(name, leave)
  try {
    if (connection.embedded !== undefined) display.remark(words.chat.embedded(rendered(connection.embedded)))
    display.print(words.chat.welcome(visible(self), visible(connection.session), found === undefined))
    display.remark(words.chat.hint)
    display.refresh()
    const watching = requests.watch().catch(fail)
    if (found !== undefined) await conversation.goOn()
    await stopped
    await Promise.all([watching, conversation.ended()])
  } finally {
    leave()
    for (const name of SIGNALS) process.off(name, leave)
    keyboard.close()
    display.close()
    hear(() => {})
  }
  if (failure !== undefined) throw failure.error
  if (conversation.hasBegun())
    terminal.print(paint('dim', farewell(connection, isRunning(display.state()), words.chat)))

  function feed(input: WatchInput): void {
    display.later(() => take(feedWatch(display.state(), input, words)))
  }

  /** Shows what a step of the pure part wants shown, and does what it wants done. */
  function take(step: ChatStep): void {
    display.change(() => step.state)
    for (const output of step.outputs) display.print(showChatOutput(output, step.state, display.options()))
    display.refresh()
    for (const action of step.actions) act(action)
  }

  function act(action: ChatAction): void {
    switch (action.kind) {
      case 'leave':
        leave()
        return
      case 'say':
        void conversation.say(action.text)
        return
      case 'interrupt':
        void conversation.interrupt(action.how)
        return
      case 'list':
        void requests.list()
        return
      default:
        perform(action, { client, signal, clock, feed, edit: (of) => void edit(of), quit: leave })
    }
  }

  async function edit({ request, draft }: Extract<WatchAction, { kind: 'edit' }>): Promise<void> {
    keyboard.pause()
    const result = await display.lend(async () => {
      const edited = await editArguments(request.arguments, draft, environment).catch((error) => {
        return { kind: 'failed' as const, why: detailOf(error) }
      })
      keyboard.resume()
      return edited
    })
    feed({ kind: 'edited', id: request.id, result, at: clock() })
  }
}

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const

function farewell(
  { session, embedded }: Pick<ChatConnection, 'session' | 'embedded'>,
  isTurnRunning: boolean,
  words: CliChatWords,
): string {
  const name = visible(session)
  if (!isTurnRunning) return words.bye(name)
  return embedded === undefined ? words.stillRuns(name) : words.stopsWith(name)
}
