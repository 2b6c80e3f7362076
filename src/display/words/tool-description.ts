/** Before what a tool says of itself. By itself, since the first page of the inbox looks for it. */
import type { Locale } from './rendering-words.ts'

export const TOOL_DESCRIPTION: Readonly<Record<Locale, string>> = { en: 'Tool description', zh: '工具说明' }
