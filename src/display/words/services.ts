/** What chat services are called. */
import type { Locale } from './rendering-words.ts'

const NAMES: Readonly<Record<string, Readonly<Record<Locale, string>>>> = {
  telegram: { en: 'Telegram', zh: 'Telegram' },
  feishu: { en: 'Feishu', zh: '飞书' },
}

/** By its key in the configuration. One without a name of ours is called by that. */
export function sayService(service: string, locale: Locale): string {
  return Object.hasOwn(NAMES, service) ? NAMES[service]![locale] : service
}

const PLACES: Readonly<Record<string, Readonly<Record<Locale, string>>>> = {
  http: { en: 'inbox or API', zh: '网页或 API' },
  cli: { en: 'terminal', zh: '终端' },
}

/** Where somebody approved: in a chat, or elsewhere. */
export function sayPlace(via: string, locale: Locale): string {
  return Object.hasOwn(PLACES, via) ? PLACES[via]![locale] : sayService(via, locale)
}
