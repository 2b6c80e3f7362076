/**
 * A chat service as a driver of the server: the channel for the gateway, and what receives. The service's own part is its
 * `ChatService`; everything else is the same for all.
 */
import type { Directory } from '../../core/authority.ts'
import type { Session } from '../../core/session.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { LeaseVerbs } from '../../stores/lease-verbs.ts'
import type { RecordVerbs } from '../../stores/record-verbs.ts'
import { NotNow, type Presentation } from '../channel.ts'
import type { ChannelDriver, ChannelPorts } from '../driver.ts'
import { createClicks } from './clicks.ts'
import type { ChatService } from './contract.ts'
import { type CardDeliveries, createCardDeliveries } from './deliver-cards.ts'
import { createHandledEvents } from './events.ts'
import { createFloods } from './floods.ts'
import { createCards } from './handles.ts'
import { createKeptDescription } from './kept-description.ts'
import { createAnswerMessages } from './messages/answer-messages.ts'
import { createLinkMessages } from './messages/link-messages.ts'
import { createSecretaryMessages } from './messages/secretary-messages.ts'
import { createTextAnswers } from './messages/text-answers.ts'
import { createChatMoves } from './moves.ts'
import { createChatNotices } from './notices.ts'
import { createOneReceiver } from './one-receiver.ts'
import { createPace } from './pace.ts'
import { createRouting } from './routing.ts'
import { createTellAccounts } from './tell-accounts.ts'
import { createTestCards } from './test-cards.ts'

export interface ChatParts {
  service: ChatService
  options: ChatOptions
  store: {
    records: RecordVerbs
    leases: Pick<LeaseVerbs, 'take' | 'release'>
    sessions: { get(id: string): Promise<Session | undefined> }
    now(): number
  }
  directory(): Directory
  /** This node's id, the same after a restart. */
  node: string
  /** Where the inbox is; undefined where it has no address that others know. */
  inboxUrl(): string | undefined
  report(fault: { doing: string; error: unknown }): void
}

/** What may be set for every service. */
export interface ChatOptions {
  locale: Locale
  /** Where requests go that no approver with an account can be shown. */
  chat?: string
  /** Groups that may see arguments, besides that one. */
  chats: readonly string[]
  /** Whether a plain y or n in a private chat can be an answer. */
  textAnswers: boolean
}

/** The server is still starting. */
const NOT_YET_MS = 500

export function createChat({
  service,
  options,
  store,
  directory,
  node,
  inboxUrl,
  report,
}: ChatParts): ChannelDriver {
  const { records, leases, now } = store
  const { locale, chat, chats } = options
  const cards = createCards({ service: service.name, records, now })
  const moves = createChatMoves(service.name, records)
  const routing = createRouting({
    service,
    defaultChat: chat,
    namedChats: chat === undefined ? chats : [chat, ...chats],
    moves,
    directory,
    linked: async () => (await ports?.linked(service.name)) ?? [],
    quietHours: async (subject) => ports?.quietHours(subject),
    session: (id) => store.sessions.get(id),
    now,
  })
  const pace = createPace(service.limits.pace, now)
  const floods = createFloods({ service, records, pace, locale, inbox: inboxUrl, now })
  const notices = createChatNotices({ service, routing, moves, pace, locale, now, report })
  let deliveries: CardDeliveries | undefined
  /** Absent while the server starts. */
  let ports: ChannelPorts | undefined

  const show = async (presentation: Presentation, how: keyof CardDeliveries) => {
    if (deliveries !== undefined) return deliveries[how](presentation)
    presentation.later(NOT_YET_MS)
    return undefined
  }

  return {
    channel: {
      name: service.name,
      kind: 'durable',
      serves: () => true,
      reaches: (people) => routing.knows(people),
      present: (presentation) => show(presentation, 'present'),
      update: (presentation) => show(presentation, 'update'),
      tell: createTellAccounts({ service, routing, locale }),
      async notify(notice) {
        // Whose accounts there are isn't known yet.
        if (ports === undefined) throw new NotNow(NOT_YET_MS)
        return notices(notice)
      },
    },
    connect(connected) {
      const { deciding, clock, claimLink, clickTest } = connected
      ports = connected
      deliveries = createCardDeliveries({
        service,
        cards,
        routing,
        floods,
        moves,
        pace,
        locale,
        knownTool: deciding.knownTool,
        inboxUrl: (request) => requestUrl(inboxUrl(), request),
        now,
        report,
      })
      const events = createHandledEvents(service.name, records)
      const turns = createOneReceiver({ service: service.name, leases, holder: node, clock, report })
      const testCards = createTestCards({ service, cards, routing, locale, clickTest, now, report })
      const say = createAnswerMessages({ service, now, report })
      const textAnswers = createTextAnswers({
        cards,
        events,
        deciding,
        takesText: options.textAnswers,
        locale,
        now,
        say,
        secretary:
          connected.secretary &&
          createSecretaryMessages({ secretary: connected.secretary, events, locale, say }),
      })
      const receiver = service.receive({
        click: createClicks({ service, cards, events, deciding, testCards, say, locale, clock, report }),
        message: createLinkMessages({
          cards,
          events,
          claimLink,
          locale,
          inboxUrl,
          say,
          otherwise: textAnswers,
        }),
        receiving: turns,
        clock,
        report,
      })
      return {
        doors: receiver.doors ?? [],
        chat: {
          service: service.name,
          tenant: service.tenant,
          textAnswers: options.textAnswers,
          describe: createKeptDescription(service, now),
          sendTest: testCards.send,
        },
        async close() {
          deliveries = undefined
          await turns.close()
          await receiver.close()
        },
      }
    },
  }
}

function requestUrl(inbox: string | undefined, request: string): string | undefined {
  return inbox === undefined ? undefined : `${inbox}/#/pending/${encodeURIComponent(request)}`
}
