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
