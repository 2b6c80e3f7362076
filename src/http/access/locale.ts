/** The language of whoever calls. */
import type { Locale } from '../../display/words/rendering-words.ts'

/** The first language of the reader's that we have. */
export function localeOf(header: string | undefined): Locale {
  const wanted = (header ?? '')
    .slice(0, 1000)
    .split(',')
    .map((part) => {
      const [language = '', quality] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/)
      return { language: language.split('-')[0], quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .sort((one, other) => other.quality - one.quality)
  return wanted.find(({ language, quality }) => quality > 0 && (language === 'en' || language === 'zh'))
    ?.language === 'zh'
    ? 'zh'
    : 'en'
}
