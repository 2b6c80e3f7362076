/**
 * What a grant lets through, in the reader's language. The words are made in English by `policy/grants/suggest-grants.ts`, with what they
 * quote of the call made visible and masked, and are kept so; this says them in Chinese as they go out. What is quoted stays
 * as it is, and words that are not of one of the known forms are left alone.
 */
import { makeVisible } from '../text/visible.ts'
import type { Locale } from './rendering-words.ts'

export function sayGrantWords(words: string, name: string, locale: Locale): string {
  if (locale === 'en') return words
  // The words have it so.
  const tool = makeVisible(name).text
  if (words === EXACTLY) return '仅限此调用：参数和目录都相同'
  const shape = words.endsWith(ANY_STAR) ? words.slice(0, -ANY_STAR.length) : undefined
  if (shape !== undefined && /^`[^`]+`(?: and `[^`]+`)*$/u.test(shape))
    return `${shape.split('` and `').join('` 和 `')}：星号处可为任何参数，路径限于工作区内`
  if (!words.startsWith(`${tool} `)) return words
  const rest = words.slice(tool.length + 1)
  if (rest === 'with any arguments') return `${tool}，任何参数`
  if (rest === 'of anything in the workspace') return `${tool}：工作区内的任何文件`
  const folder = after(rest, 'of anything in ')
  if (folder !== undefined) return `${tool}：${folder} 内的任何文件`
  const path = after(rest, 'of ./')
  if (path !== undefined) return `${tool}：./${path}`
  const hosts = after(rest, 'at ')
  if (hosts !== undefined) return `${tool}：访问 ${hosts.split(' and ').join(' 和 ')}`
  const argument = rest.endsWith(ANYTHING_ELSE)
    ? after(rest.slice(0, -ANYTHING_ELSE.length), 'with ')
    : undefined
  return argument === undefined ? words : `${tool}：${argument}，其余参数不限`
}

/** The call that a grant is for, where it is for one and no other. */
export function sayExactCall(summary: string | undefined, locale: Locale): string {
  const { whole, erased } = EXACT[locale]
  return summary === undefined ? erased : `${whole}${summary}`
}

const EXACTLY = 'exactly this call, with the same arguments in the same folder'
const ANY_STAR = ' with any arguments in place of the star, on paths inside the workspace'
const ANYTHING_ELSE = ' and anything else'

const EXACT: Readonly<Record<Locale, { whole: string; erased: string }>> = {
  en: {
    whole: 'exactly this call: ',
    erased: 'exactly one call, whose arguments were erased after their retention time',
  },
  zh: { whole: '仅限此调用：', erased: '仅限一个调用，其参数已在保留期满后删除' },
}

function after(text: string, start: string): string | undefined {
  return text.startsWith(start) ? text.slice(start.length) : undefined
}
