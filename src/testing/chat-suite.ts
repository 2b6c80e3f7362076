/**
 * The chat contract (`people/chats/contract.ts`) as tests: what people see, who may answer, what is refused, and what survives.
 * Hand in the `describe`, `it` and `expect` of your runner, a driver, and a stand-in of its service on loopback.
 */
import { describeCards } from './chat/cards.ts'
import { type ChatUnderTest, createChatSuite } from './chat/chat-test.ts'
import { describeClicks } from './chat/clicks.ts'
import { describeDescription } from './chat/description.ts'
import { describeFaults } from './chat/faults.ts'
import { describeFloods } from './chat/floods.ts'
import { describeLinking } from './chat/linking.ts'
import { describeNotices } from './chat/notices.ts'
import { describeSecretary } from './chat/secretary.ts'
import { describeTexts } from './chat/texts.ts'
import type { Runner } from './runner.ts'

export function describeChat(runner: Runner, name: string, under: ChatUnderTest): void {
  runner.describe(`the chat contract: ${name}`, () => {
    const suite = createChatSuite(runner, under)
    describeCards(suite)
    describeFloods(suite)
    describeClicks(suite)
    describeTexts(suite)
    describeSecretary(suite)
    describeNotices(suite)
    describeFaults(suite)
    describeDescription(suite)
    describeLinking(suite)
  })
}
