/** That the very same call was approved before, for whoever is asked about it once more. */
import type { SameCall } from '../../core/request.ts'
import type { Locale } from './rendering-words.ts'

const WORDS: Record<Locale, Record<SameCall['state'], (at: string) => string>> = {
  en: {
    running: (at) => `The same call was approved at ${at} and is still running.`,
    unknown: (at) => `The same call was approved at ${at}; its outcome is unknown.`,
    done: (at) => `The same call was approved at ${at} and has already run.`,
  },
  zh: {
    running: (at) => `同样的调用已于 ${at} 获批，目前仍在执行。`,
    unknown: (at) => `同样的调用已于 ${at} 获批，执行结果未知。`,
    done: (at) => `同样的调用已于 ${at} 获批，并且已经执行过。`,
  },
}

export function sayEarlierCall({ state, at }: SameCall, locale: Locale): string {
  return WORDS[locale][state](`${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`)
}
