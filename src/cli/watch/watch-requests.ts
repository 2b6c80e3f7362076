/** Runs a watch: joins the keyboard, the server's events and the screen to the pure part in `advance`. */
import type { Client } from '../../client/index.ts'
import type { Context } from '../command-line/command.ts'
import { visible } from '../output/safe-text.ts'
import { advanceWatch } from './advance-watch.ts'
import { editArguments } from './edit-arguments.ts'
import { keyOf, openKeyboard } from './keys.ts'
import { detailOf, listPending, type Performing, perform } from './perform.ts'
import { promptLine, type ScreenOptions, showOutput } from './watch-screen.ts'
import { initialState, type WatchAction, type WatchInput } from './watch-state.ts'
import { watchWords } from './watch-words.ts'

const CLEAR_LINE = '\r\u001b[2K'

/** Resolves when the person quits; throws when the server will not be heard again. */
export async function watchRequests(
  client: Client,
  inbox: string,
  { terminal, environment }: Context,
): Promise<void> {
  const { locale, paint } = terminal
  const words = watchWords(locale)
  const { subject } = await client.me()
  const stop = new AbortController()
  let state = initialState(subject, { url: inbox, locale })
  /** The line that stands at the end of the screen now. */
  let prompt = ''
  /** While an editor has the screen, what happens waits here. */
  let held: WatchInput[] | undefined

  const clock = () => performance.now()
  const write = (text: string) => void process.stdout.write(text)
  const screen = (): ScreenOptions => ({ locale, paint, columns: terminal.columns, now: Date.now() })

  function feed(input: WatchInput): void {
    if (held !== undefined) {
      held.push(input)
      return
    }
    const step = advanceWatch(state, input, words)
    state = step.state
    const text = step.outputs.map((output) => `${showOutput(output, screen())}\n`).join('')
    const line = promptLine(state, screen())
    if (text !== '' || line !== prompt) write(`${CLEAR_LINE}${text}${line}`)
    prompt = line
    for (const action of step.actions) perform(action, performing)
  }

  const performing: Performing = {
    client,
    signal: stop.signal,
    clock,
    feed,
    edit: (action) => void edit(action),
    quit: () => stop.abort(),
  }

  async function edit({ request, draft }: Extract<WatchAction, { kind: 'edit' }>): Promise<void> {
    held = []
    keyboard.pause()
    write(CLEAR_LINE)
    const result = await editArguments(request.arguments, draft, environment).catch((error) => {
      return { kind: 'failed' as const, why: detailOf(error) }
    })
    keyboard.resume()
    const waiting = held
    held = undefined
    for (const input of waiting) feed(input)
    feed({ kind: 'edited', id: request.id, result, at: clock() })
  }

  write(`${words.welcome(visible(subject))}\n`)
  const keyboard = openKeyboard(
    process.stdin,
    keyOf,
    (keys, isBurst) => {
      const [key] = keys
      if (isBurst) feed({ kind: 'keys', keys, at: clock() })
      else if (key !== undefined) feed({ kind: 'key', key, at: clock() })
    },
    () => stop.abort(),
  )
  try {
    const events = client.events({
      signal: stop.signal,
      onStatus: (status) => feed({ kind: 'connection', status }),
    })
    for await (const event of events) {
      if (event.type === 'reset') feed({ kind: 'listed', requests: await listPending(client, stop.signal) })
      if (event.type === 'request') feed({ kind: 'changed', request: event.request, at: clock() })
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    stop.abort()
    keyboard.close()
    write(`${CLEAR_LINE}${paint('dim', words.bye)}\n`)
  }
}
