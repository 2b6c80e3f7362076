/** A grant for exactly one call, in the reader's language. */
import type { Locale } from './rendering-words.ts'

/** The call that a grant is for, where it is for one and no other. */
export function sayExactCall(summary: string | undefined, locale: Locale): string {
  const { whole, erased } = EXACT[locale]
  return summary === undefined ? erased : `${whole}${summary}`
}

const EXACT: Readonly<Record<Locale, { whole: string; erased: string }>> = {
  en: {
    whole: 'exactly this call: ',
    erased: 'exactly one call, whose arguments were erased after their retention time',
  },
  zh: { whole: '仅限此调用：', erased: '仅限一个调用，其参数已在保留期满后删除' },
}
