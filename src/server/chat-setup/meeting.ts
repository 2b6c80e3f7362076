/**
 * Meets the person who sets a chat up: they write a one-time code to the bot, and click a test card. It receives in this process, with
 * the service's own driver and without a store, so it MUST NOT run beside a server that receives for the same bot.
 *
 * It decides nothing and links nobody. It says which account has written the code, in a private chat, itself and just now; the caller
 * asks the person whether that is theirs. Clicks on other cards are refused and told so: they stay as they were.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { LINK_CODE_BYTES, makeLinkCode, readLinkCode } from '../../core/support/link-code.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { Card } from '../../people/chats/card/card.ts'
import type {
  Acknowledge,
  ChatClick,
  ChatMessage,
  ChatService,
  MessageReference,
  RenderedCard,
} from '../../people/chats/contract.ts'
import { type SetupWords, setupWords } from './setup-words.ts'

/** The service as set-up uses it. */
export type SetUpService = ChatService

export interface MeetingParts {
  service: Pick<ChatService, 'receive' | 'render' | 'send' | 'update' | 'say'>
  locale: Locale
  clock: Pick<Clock, 'now' | 'after'>
  /** What goes wrong while receiving. It goes on all the same. */
  onFault(error: unknown): void
  /** A connection is open, at services that have one. */
  onConnected?(): void
}

export interface Meeting {
  /** A new code. The one before it is worth nothing any more. */
  newCode(): string
  /** Who writes the code. Undefined: nobody did in that time. */
  writer(withinMs: number): Promise<ChatWriter | undefined>
  /** Sends a card with one button to that account, and waits until that account clicks it. False: it did not in that time. */
  tryCard(writer: ChatWriter, withinMs: number): Promise<boolean>
  close(): Promise<void>
}

export interface ChatWriter {
  account: string
  /** As the service shows it. They choose it: it proves nothing, and may be made to deceive. */
  name?: string
}

interface SentCard extends Partial<MessageReference> {
  handle: string
  account: string
}

/** Strangers who write to the bot are told how it works so many times, and then no more. */
const MAX_HINTS = 20
/** As many as the handles of other cards have. */
const HANDLE_BYTES = 16

export function startMeeting({ service, locale, clock, onFault, onConnected }: MeetingParts): Meeting {
  const words = setupWords(locale)
  const over = new AbortController()
  let code: string | undefined
  let card: SentCard | undefined
  let onWriter: ((writer: ChatWriter) => void) | undefined
  let onClick: (() => void) | undefined
  const hinted = new Set<string>()

  async function message(given: ChatMessage): Promise<void> {
    const { account, isPrivate, isForwarded, isEdited, isBot, text, senderName } = given
    // A code that somebody else could have read or passed on proves nothing.
    if (!isPrivate || isForwarded || isEdited || isBot || !account.isHome) return
    const written = readLinkCode(text)
    if (written === undefined || code === undefined || !isSame(written, code.replaceAll('-', ''))) {
      await hint(account.account, written === undefined ? words.sendCode : words.wrongCode)
      return
    }
    code = undefined
    onWriter?.({ account: account.account, ...(senderName === undefined ? {} : { name: senderName }) })
  }

  async function hint(account: string, text: string): Promise<void> {
    if (onWriter === undefined || hinted.has(account) || hinted.size >= MAX_HINTS) return
    hinted.add(account)
    await service.say({ kind: 'person', account }, text).catch(onFault)
  }

  async function click(given: ChatClick, acknowledge: Acknowledge): Promise<void> {
    const told = answerTo(given)
    if (told === words.works) onClick?.()
    await acknowledge({ text: told, isAlert: told !== words.works }).catch(onFault)
  }

  function answerTo({
    handle,
    account,
    chat,
    message,
  }: ChatClick): SetupWords['works' | 'busy' | 'notYours'] {
    if (card === undefined || !isSame(handle, card.handle)) return words.busy
    // The service may tell of the click before it has told which message it is.
    const isThere = card.message === undefined || (card.chat === chat && card.message === message)
    if (!isThere) return words.busy
    return account.account === card.account && account.isHome ? words.works : words.notYours
  }

  const turns = [over.signal]
  const receiver = service.receive({
    click,
    message,
    receiving: { next: async () => turns.pop() ?? ended(over.signal) },
    clock,
    connected: () => onConnected?.(),
    report: ({ error }) => onFault(error),
  })

  /** What is waited for, or undefined when the time is over. */
  async function within<T>(ms: number, wait: (resolve: (value: T) => void) => void): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<T | undefined>()
    wait(resolve)
    const timer = clock.after(ms, () => resolve(undefined))
    try {
      return await promise
    } finally {
      timer.cancel()
    }
  }

  return {
    newCode() {
      code = makeLinkCode(randomBytes(LINK_CODE_BYTES))
      return code
    },
    writer: (withinMs) =>
      within<ChatWriter>(withinMs, (resolve) => {
        onWriter = resolve
      }).finally(() => {
        onWriter = undefined
      }),
    async tryCard({ account }, withinMs) {
      const handle = randomBytes(HANDLE_BYTES).toString('base64url')
      card = { handle, account }
      const clicked = within<true>(withinMs, (resolve) => {
        onClick = () => resolve(true)
      })
      const sent = await service.send(
        { kind: 'person', account },
        rendered(service, testCard(words, locale, handle)),
        {
          isSilent: false,
        },
      )
      card = { handle, account, chat: sent.chat, message: sent.message }
      const isClicked = (await clicked) === true
      card = undefined
      await service
        .update(sent, rendered(service, testCard(words, locale, undefined, isClicked)))
        .catch(onFault)
      return isClicked
    },
    async close() {
      over.abort()
      await receiver.close()
    },
  }
}

function testCard(words: SetupWords, locale: Locale, handle: string | undefined, isClicked = false): Card {
  return {
    locale,
    tone: handle !== undefined ? 'pending' : isClicked ? 'approved' : 'over',
    title: words.title,
    mentions: [],
    parts: [
      { kind: 'words', text: handle !== undefined ? words.press : isClicked ? words.done : words.late },
    ],
    buttons: handle === undefined ? [] : [[{ label: words.button, style: 'primary', handle }]],
    forms: [],
    inbox: undefined,
  }
}

function rendered(service: Pick<ChatService, 'render'>, card: Card): RenderedCard {
  const made = service.render(card)
  if ('tooLong' in made) throw new Error('a test card is too long')
  return made
}

/** Nobody else receives: the turn is over when it is closed. */
function ended(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined))
  })
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)]
  return one.length === other.length && timingSafeEqual(one, other)
}
