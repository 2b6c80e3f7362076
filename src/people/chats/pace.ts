/** Keeps to what a chat takes: so many messages and changes in a time. Each process keeps its own count; a service that is asked too much says so. */
import type { ChatAddress, ChatLimits } from './contract.ts'

export interface Pace {
  /** 0, and it counts; or how long to wait. */
  take(to: ChatAddress): number
  /** The same, and nothing counts. */
  look(to: ChatAddress): number
}

/** Chats that nothing was sent to for a while are forgotten. */
const MAX_CHATS = 10_000

export function createPace(pace: ChatLimits['pace'], now: () => number): Pace {
  const sent = new Map<string, number[]>()

  const recentOf = (to: ChatAddress): number[] => {
    const since = now() - pace[to.kind].inMs
    return (sent.get(addressKey(to)) ?? []).filter((one) => one > since)
  }

  const waitAfter = (to: ChatAddress, recent: readonly number[]): number => {
    const { count, inMs } = pace[to.kind]
    return recent.length < count ? 0 : recent[0]! + inMs - now()
  }

  return {
    look: (to) => waitAfter(to, recentOf(to)),
    take(to) {
      const key = addressKey(to)
      const recent = recentOf(to)
      const waitMs = waitAfter(to, recent)
      sent.delete(key)
      if (sent.size >= MAX_CHATS) sent.delete(sent.keys().next().value!)
      sent.set(key, waitMs > 0 ? recent : [...recent, now()])
      return waitMs
    },
  }
}

export function addressKey(to: ChatAddress): string {
  return JSON.stringify(to.kind === 'person' ? ['person', to.account] : ['chat', to.chat])
}
