/** Keeps to what a chat takes: so many messages and changes in a time. Each process keeps its own count; a service that is asked too much says so. */
import type { ChatAddress, ChatLimits } from './contract.ts'

export interface Pace {
  /** 0, and it counts; or how long to wait. */
  take(to: ChatAddress): number
}

/** Chats that nothing was sent to for a while are forgotten. */
const MAX_CHATS = 10_000

export function createPace(pace: ChatLimits['pace'], now: () => number): Pace {
  const sent = new Map<string, number[]>()
  return {
    take(to) {
      const { count, inMs } = pace[to.kind]
      const key = addressKey(to)
      const at = now()
      const recent = (sent.get(key) ?? []).filter((one) => one > at - inMs)
      if (recent.length >= count) {
        sent.set(key, recent)
        return recent[0]! + inMs - at
      }
      sent.delete(key)
      if (sent.size >= MAX_CHATS) sent.delete(sent.keys().next().value!)
      sent.set(key, [...recent, at])
      return 0
    },
  }
}

export function addressKey(to: ChatAddress): string {
  return JSON.stringify(to.kind === 'person' ? ['person', to.account] : ['chat', to.chat])
}
