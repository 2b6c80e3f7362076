/** What a service says of our bot, kept for a while: people who look at their settings shouldn't make us ask each time. */
import { type ChatDescription, ChatFault, type ChatService } from './contract.ts'

const KEPT_MS = 60_000
const FAULT_KEPT_MS = 15_000

export function createKeptDescription(
  service: Pick<ChatService, 'describe'>,
  now: () => number,
): () => Promise<ChatDescription | { fault: string }> {
  let kept: { said: Promise<ChatDescription | { fault: string }>; until: number } | undefined

  async function ask(): Promise<ChatDescription | { fault: string }> {
    try {
      return await service.describe()
    } catch (error) {
      if (kept !== undefined) kept.until = now() + FAULT_KEPT_MS
      if (error instanceof ChatFault) return { fault: error.message }
      throw error
    }
  }

  return () => {
    if (kept === undefined || kept.until <= now()) kept = { said: ask(), until: now() + KEPT_MS }
    return kept.said
  }
}
