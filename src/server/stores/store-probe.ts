/**
 * Whether the store answers, and how fast. Anyone may ask for a server's health, so all who ask within a second share one
 * look; and a store that neither answers nor fails counts as one that does not answer.
 */
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import type { Store } from '../../stores/store.ts'

export interface StoreProbe {
  /** Throws while the store does not answer, and `schema_newer` once it belongs to a newer version. */
  check(): Promise<void>
  /** Of the last look. Seconds. */
  figures(): { roundTrip: number; clockOffset: number; schemaNewer: number }
}

const FRESH_MS = 1000
const ANSWER_WITHIN_MS = 5000

export function createStoreProbe(store: Pick<Store, 'nextDeadline' | 'now' | 'checkSchema'>): StoreProbe {
  let last: { at: number; answer: Promise<void> } | undefined
  let roundTripMs = 0
  let clockOffsetMs = 0
  let newer = false

  async function look(): Promise<void> {
    const from = performance.now()
    await within(ANSWER_WITHIN_MS, store.nextDeadline())
    roundTripMs = performance.now() - from
    clockOffsetMs = store.now() - Date.now()
    newer = false
    await within(ANSWER_WITHIN_MS, store.checkSchema?.() ?? Promise.resolve()).catch((error) => {
      newer = isBanksmanError(error, 'schema_newer')
      throw error
    })
  }
  return {
    check() {
      const now = performance.now()
      if (last === undefined || now - last.at > FRESH_MS) last = { at: now, answer: look() }
      return last.answer
    },
    figures: () => ({
      roundTrip: roundTripMs / 1000,
      clockOffset: clockOffsetMs / 1000,
      schemaNewer: Number(newer),
    }),
  }
}

async function within(ms: number, answer: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new BanksmanError('store_unavailable', `the store has not answered for ${ms / 1000} s`))
    }, ms)
  })
  try {
    await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
