/** Telegram keeps the chat contract. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeChat } from '../../../testing/chat-suite.ts'
import { openChatNode } from '../fixtures/chat-node.ts'
import { startTelegramStandIn, type TelegramStandIn } from './fixtures/telegram-stand-in.ts'
import { createTelegram } from './telegram.ts'

describeChat({ describe, it, expect }, 'telegram', {
  start: startTelegramStandIn,
  service: (standIn) => {
    const { url, token } = (standIn as TelegramStandIn).server
    return createTelegram({ url, token })
  },
  openNode: openChatNode,
  makePath() {
    const folder = mkdtempSync(join(tmpdir(), 'banksman-chat-'))
    return { path: join(folder, 'test.db'), remove: () => rmSync(folder, { recursive: true, force: true }) }
  },
})
