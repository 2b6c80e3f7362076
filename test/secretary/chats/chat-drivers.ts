/** The chats that the secretary is talked to in, as stand-ins of the services. */

import type { ChatService } from '../../../src/people/chats/contract.ts'
import { createFeishu } from '../../../src/people/chats/feishu/feishu.ts'
import {
  type FeishuStandIn,
  startFeishuStandIn,
} from '../../../src/people/chats/feishu/fixtures/feishu-stand-in.ts'
import {
  startTelegramStandIn,
  type TelegramStandIn,
} from '../../../src/people/chats/telegram/fixtures/telegram-stand-in.ts'
import { createTelegram } from '../../../src/people/chats/telegram/telegram.ts'
import type { ChatStandIn } from '../../../src/testing/chat/chat-test.ts'

export interface ChatDriver {
  readonly name: string
  start(now: () => number): Promise<ChatStandIn>
  service(standIn: ChatStandIn, now: () => number): ChatService
}

export const CHATS: readonly ChatDriver[] = [
  {
    name: 'Feishu',
    start: startFeishuStandIn,
    service(standIn, now) {
      const { url, appId, appSecret } = (standIn as FeishuStandIn).server
      return createFeishu({ url, appId, appSecret, now })
    },
  },
  {
    name: 'Telegram',
    start: startTelegramStandIn,
    service(standIn) {
      const { url, token } = (standIn as TelegramStandIn).server
      return createTelegram({ url, token })
    },
  },
]
