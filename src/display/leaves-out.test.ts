import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../core/json/json.ts'
import { leavesOut } from './leaves-out.ts'
import { renderCall } from './render.ts'
import { renderText } from './render-text.ts'

const LONG = 'word '.repeat(10_000)
const textOf = (args: JsonObject, description?: string, locale: 'en' | 'zh' = 'en') => {
  const definition = description === undefined ? undefined : { description }
  return renderText(renderCall({ tool: 'x', arguments: args, definition }, { locale }), { locale })
}

describe('whether a rendered call is whole', () => {
  it.each([
    { text: LONG },
    { command: LONG },
    { list: [LONG] },
    { path: 'a', old_text: 'x', new_text: LONG },
    { path: 'a', old_text: 'x', new_text: 'line\n'.repeat(9000) },
  ] satisfies JsonObject[])('P9: it is not', (args) => {
    for (const locale of ['en', 'zh'] as const) expect(leavesOut(textOf(args, undefined, locale))).toBe(true)
  })

  it('P9: it is, whatever its texts say and however much its tool says of itself', () => {
    const mark = '⟨… 5 characters left out⟩'
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')
    for (const args of [
      { text: 'short', mark },
      { text: mark },
      { path: 'a', old_text: `${lines}\nx`, new_text: `${lines}\ny` },
    ])
      for (const locale of ['en', 'zh'] as const) expect(leavesOut(textOf(args, LONG, locale))).toBe(false)
  })
})
