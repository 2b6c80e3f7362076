/** Runs a chat at a terminal: joins the keyboard, the conversation, its requests and the screen to the pure part. */
import type { WireTurnEvent } from '../../client/index.ts'
import type { Context } from '../command-line/command.ts'
import { wrapWords } from '../output/fit-to-width.ts'
import type { Log } from '../output/log.ts'
import { rendered, visible } from '../output/safe-text.ts'
import { editArguments } from '../watch/edit-arguments.ts'
import { openKeyboard } from '../watch/keys.ts'
import { detailOf, listPending, type Performing, perform } from '../watch/perform.ts'
import type { ScreenOptions } from '../watch/watch-screen.ts'
import type { WatchAction, WatchInput } from '../watch/watch-state.ts'
import { watchWords } from '../watch/watch-words.ts'
import { feedWatch, followPiece, pressChatKey, pressChatKeys } from './advance-chat.ts'
import type { ChatConnection } from './chat-connection.ts'
import { createKeyReader, PASTE_MARKS_OFF, PASTE_MARKS_ON } from './chat-keys.ts'
import { chatPrompt, createChatScreen, pieceText, saidText, showChatOutput } from './chat-screen.ts'
import { type ChatAction, type ChatState, type ChatStep, initialChatState, isRunning } from './chat-state.ts'
import { chatWords } from './chat-words.ts'
import { createNarrator, type NarratedPiece } from './narrate.ts'
import { lastTurnOf } from './past-turns.ts'

const DEFAULT_COLUMNS = 80

/** Resolves when the person leaves; throws when the agent will not be heard again. `hear` is given what a server inside says. */
export async function runChat(
  line: ChatConnection,
  { terminal, environment }: Context,
  hear: (log: Log) => void,
): Promise<void> {
  const { client, session, self } = line
  const { locale, paint } = terminal
  const words = { chat: chatWords(locale), watch: watchWords(locale) }
  const narrator = createNarrator(session, words.chat)
  const stop = new AbortController()
  const { signal } = stop
  let failure: { error: unknown } | undefined
  let state: ChatState = initialChatState(self, { url: line.url, locale })
  /** While an editor has the screen, what happens waits here. */
  let held: (() => void)[] | undefined
  let listening: Promise<void> | undefined
  let hasSaid = line.found !== undefined
  /** The requests of this conversation. */
  const asked = new Set<string>()
  /** What was said here and is still to come back as an event. */
  const echoes: string[] = []
  const overTurns = new Set<string>()

  const clock = () => performance.now()
  const send = (text: string) => void process.stdout.write(text)
  const columns = () => terminal.columns ?? DEFAULT_COLUMNS
  const options = (): ScreenOptions => ({ locale, paint, columns: columns(), now: Date.now() })
  const screen = createChatScreen({ send, columns, paint, prompt: () => chatPrompt(state, options()) })
  const refresh = () => screen.refresh()

  /** Everything that draws goes through here, in the order in which it happened. */
  function later(work: () => void): void {
    if (held === undefined) {
      if (!signal.aborted) work()
    } else held.push(work)
  }

  function take(step: ChatStep): void {
    state = step.state
    for (const output of step.outputs) {
      if (output.kind === 'said') echoes.push(output.text)
      screen.print(showChatOutput(output, state, options()))
    }
    refresh()
    for (const action of step.actions) act(action)
  }

  function feed(input: WatchInput): void {
    later(() => take(feedWatch(state, input, words)))
  }

  function warning(text: string): string {
    const lines = wrapWords(`! ${rendered(text).replaceAll('\n', ' ')}`, columns())
    return lines.map((each) => paint('yellow', each)).join('\n')
  }

  function dimmed(text: string): string {
    const lines = wrapWords(text, columns())
    return lines.map((each) => paint('dim', each)).join('\n')
  }

  function warn(text: string): void {
    later(() => screen.print(warning(text)))
  }

  const performing: Performing = {
    client,
    signal,
    clock,
    feed,
    edit: (action) => void edit(action),
    quit: () => stop.abort(),
  }

  function act(action: ChatAction): void {
    switch (action.kind) {
      case 'leave':
        stop.abort()
        return
      case 'say':
        void say(action.text)
        return
      case 'interrupt':
        client.stopSession(session, { how: action.how }, { signal }).then(
          ({ interrupted }) => interrupted === false && warn(words.chat.nothingRuns),
          (error) => warn(detailOf(error)),
        )
        return
      case 'list':
        void list()
        return
      default:
        perform(action, performing)
    }
  }

  async function say(text: string): Promise<void> {
    try {
      const said = await client.say(session, text, { signal })
      hasSaid = true
      later(() => {
        const turn = overTurns.has(said.turn) ? state.turn : said.turn
        state = { ...state, saying: state.saying - 1, turn }
        refresh()
      })
      listening ??= listen(said.after)
    } catch (error) {
      later(() => {
        echoes.splice(echoes.indexOf(text), 1)
        state = { ...state, saying: state.saying - 1, typed: state.typed === '' ? text : state.typed }
        screen.print(warning(words.chat.notSaid(detailOf(error))))
        refresh()
      })
    }
  }

  async function listen(after: string): Promise<void> {
    try {
      for await (const event of client.conversation(session, { after, signal })) {
        later(() => follow(event))
      }
    } catch (error) {
      fail(error)
    }
  }

  function follow(event: WireTurnEvent): void {
    for (const piece of narrator.tell(event)) {
      state = followPiece(state, piece)
      show(piece)
    }
    refresh()
  }

  function show(piece: NarratedPiece): void {
    switch (piece.kind) {
      case 'text':
      case 'thinking':
        screen.write(piece.kind, piece.delta)
        return
      case 'pause':
        screen.pause()
        return
      case 'said': {
        const echo = piece.by === self ? echoes.indexOf(piece.text) : -1
        if (echo !== -1) echoes.splice(echo, 1)
        else screen.print(`\n${saidText(piece.text, piece.by === self ? '' : piece.by, options())}`)
        return
      }
      case 'waiting':
        asked.add(piece.request)
        void ask(piece.request)
        return
      case 'begun':
        return
      case 'over':
        overTurns.add(piece.turn)
        if (piece.status !== 'terminated') return
        screen.print(words.chat.over)
        hasSaid = false
        stop.abort()
        return
      default:
        screen.print(pieceText(piece, options()))
    }
  }

  async function ask(id: string): Promise<void> {
    try {
      const request = await client.get(id, { signal })
      if (request.state === 'pending' && !request.yours) {
        const who = [...new Set(request.approvers.flatMap(({ approvers }) => approvers))].map(visible)
        warn(words.chat.notYours(rendered(request.rendering.summary), who.join(', ')))
      }
      feed({ kind: 'changed', request, at: clock() })
    } catch (error) {
      if (!signal.aborted) warn(detailOf(error))
    }
  }

  async function list(): Promise<void> {
    try {
      const requests = await listPending(client, signal)
      feed({ kind: 'listed', requests: requests.filter(({ id }) => asked.has(id)) })
    } catch (error) {
      if (!signal.aborted) warn(detailOf(error))
    }
  }

  async function watch(): Promise<void> {
    try {
      const onStatus: NonNullable<Parameters<typeof client.events>[0]>['onStatus'] = (status) =>
        feed({ kind: 'connection', status })
      for await (const event of client.events({ signal, onStatus })) {
        if (event.type === 'reset') await list()
        if (event.type === 'request' && asked.has(event.request.id)) {
          feed({ kind: 'changed', request: event.request, at: clock() })
        }
      }
    } catch (error) {
      fail(error)
    }
  }

  async function edit({ request, draft }: Extract<WatchAction, { kind: 'edit' }>): Promise<void> {
    held = []
    keyboard.pause()
    screen.pause()
    screen.clear()
    send(PASTE_MARKS_OFF)
    const result = await editArguments(request.arguments, draft, environment).catch((error) => {
      return { kind: 'failed' as const, why: detailOf(error) }
    })
    keyboard.resume()
    send(PASTE_MARKS_ON)
    const waiting = held
    held = undefined
    for (const work of waiting) work()
    feed({ kind: 'edited', id: request.id, result, at: clock() })
  }

  function fail(error: unknown): void {
    if (signal.aborted) return
    failure = { error }
    stop.abort()
  }

  const leave = () => stop.abort()
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  hear((told) => warn(told))
  const keyboard = openKeyboard(
    process.stdin,
    createKeyReader(),
    (keys, isBurst) => {
      later(() => {
        if (isBurst) take(pressChatKeys(state, keys, clock(), words))
        else for (const key of keys) take(pressChatKey(state, key, clock(), words))
      })
    },
    leave,
  )
  send(PASTE_MARKS_ON)
  if (line.embedded !== undefined) screen.print(dimmed(words.chat.embedded(rendered(line.embedded))))
  screen.print(words.chat.welcome(visible(self), visible(session), line.found === undefined))
  screen.print(dimmed(words.chat.hint))
  process.stdout.on('resize', refresh)
  for (const name of SIGNALS) process.on(name, leave)
  try {
    refresh()
    const watching = watch()
    if (line.found !== undefined) await goOn()
    await stopped
    await Promise.all([watching, listening])
  } finally {
    stop.abort()
    for (const name of SIGNALS) process.off(name, leave)
    process.stdout.off('resize', refresh)
    keyboard.close()
    screen.pause()
    screen.clear()
    send(PASTE_MARKS_OFF)
    hear(() => {})
  }
  if (failure !== undefined) throw failure.error
  if (hasSaid) terminal.print(paint('dim', farewell()))

  async function goOn(): Promise<void> {
    try {
      const after = await lastTurnOf(client, session, signal)
      if (after === undefined) return
      later(() => screen.print(paint('dim', words.chat.goesOn)))
      listening ??= listen(after)
    } catch (error) {
      fail(error)
    }
  }

  function farewell(): string {
    if (!isRunning(state)) return words.chat.bye(visible(session))
    return line.embedded === undefined
      ? words.chat.stillRuns(visible(session))
      : words.chat.stopsWith(visible(session))
  }
}

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const
