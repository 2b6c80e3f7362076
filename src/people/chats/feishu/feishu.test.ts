/** Feishu keeps the chat contract, over its long connection. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeChat } from '../../../testing/chat-suite.ts'
import { openChatNode } from '../fixtures/chat-node.ts'
import { createFeishu } from './feishu.ts'
import { type FeishuStandIn, startFeishuStandIn } from './fixtures/feishu-stand-in.ts'

let now = () => 0

describeChat({ describe, it, expect }, 'feishu', {
  start(clock) {
    now = clock
    return startFeishuStandIn(clock)
  },
  service: (standIn) => {
    const { url, appId, appSecret } = (standIn as FeishuStandIn).server
    return createFeishu({ url, appId, appSecret, now })
  },
  openNode: openChatNode,
  makePath() {
    const folder = mkdtempSync(join(tmpdir(), 'banksman-chat-'))
    return { path: join(folder, 'test.db'), remove: () => rmSync(folder, { recursive: true, force: true }) }
  },
})
