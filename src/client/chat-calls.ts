/** Chats and one's own accounts there, as the client calls them. */
import type { QuietHours } from '../core/time/quiet-hours.ts'
import type {
  ChatAccountInput,
  WireChat,
  WireChatTest,
  WireLink,
  WireNewLink,
  WireQuietHours,
} from '../wire/types/chat.ts'
import type { WirePage } from '../wire/types/page.ts'
import type { CallOptions, WaitOptions } from './client.ts'

export interface ChatCalls {
  /** The chats that are configured, and one's own accounts there. `all`: those of everybody, for the role `admin`. */
  list(query?: { all?: boolean }, options?: CallOptions): Promise<WirePage<WireChat>>
  /** A one-time code, which the account that is to be linked sends to the bot. An older one is void. */
  beginLink(service: string, options?: CallOptions): Promise<WireNewLink>
  /** With `holdMs`, once somebody has sent the code. */
  link(id: string, options?: WaitOptions): Promise<WireLink>
  /** Only now the account is linked: it must be the one that sent the code. */
  confirmLink(id: string, account: ChatAccountInput, options?: CallOptions): Promise<WireLink>
  cancelLink(id: string, options?: CallOptions): Promise<WireLink>
  unlink(service: string, account: ChatAccountInput, options?: CallOptions): Promise<void>
  /** Sends a test card to one's own account. */
  test(service: string, options?: CallOptions): Promise<WireChatTest>
  /** With `holdMs`, once it was clicked. */
  testState(service: string, id: string, options?: WaitOptions): Promise<WireChatTest>
}

/** When chats do not disturb this person. */
export interface QuietHoursCalls {
  get(options?: CallOptions): Promise<WireQuietHours>
  set(hours: QuietHours, options?: CallOptions): Promise<WireQuietHours>
  /** Those of the configuration count again. */
  clear(options?: CallOptions): Promise<WireQuietHours>
}

/** How a call is made. */
export interface ChatTransport {
  get<T>(path: string[], how?: CallOptions, rest?: { query: Record<string, string | undefined> }): Promise<T>
  send<T>(method: 'POST' | 'PUT' | 'DELETE', path: string[], body: unknown, how?: CallOptions): Promise<T>
  /** The time to wait, as a query. */
  hold(how: WaitOptions): { hold: string | undefined }
}

export function createChatCalls({ get, send, hold }: ChatTransport): ChatCalls {
  return {
    list: ({ all } = {}, how) => get(['chats'], how, { query: { all: all ? 'true' : undefined } }),
    beginLink: (service, how) => send('POST', ['chats', service, 'links'], {}, how),
    link: (id, how = {}) => get(['links', id], how, { query: hold(how) }),
    confirmLink: (id, { tenant, account }, how) =>
      send('POST', ['links', id, 'confirm'], { tenant, account }, how),
    cancelLink: (id, how) => send('DELETE', ['links', id], undefined, how),
    unlink: async (service, { tenant, account }, how) => {
      await send('DELETE', ['chats', service, 'accounts'], { tenant, account }, how)
    },
    test: (service, how) => send('POST', ['chats', service, 'test'], {}, how),
    testState: (service, id, how = {}) => get(['chats', service, 'test', id], how, { query: hold(how) }),
  }
}

export function createQuietHoursCalls({ get, send }: ChatTransport): QuietHoursCalls {
  return {
    get: (how) => get(['quiet-hours'], how),
    set: (hours, how) => send('PUT', ['quiet-hours'], hours, how),
    clear: (how) => send('DELETE', ['quiet-hours'], undefined, how),
  }
}
