import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../core/json/json.ts'
import { renderCall } from './render.ts'

const LONG = 'word '.repeat(10_000)

describe('a call that is too long to be shown whole', () => {
  it.each([
    { text: LONG },
    { command: LONG },
    { list: [LONG] },
    { number: 123, deep: { text: LONG } },
    { path: 'a', old_text: 'x', new_text: LONG },
    { path: 'a', old_text: 'x', new_text: 'line\n'.repeat(9000) },
  ] satisfies JsonObject[])('P9: says that a part of an argument is not shown, case %#', (args) => {
    expect(renderCall({ tool: 'x', arguments: args }).isShortened).toBe(true)
    expect(renderCall({ tool: 'x', arguments: args }, { limit: Number.POSITIVE_INFINITY }).isShortened).toBe(
      undefined,
    )
  })

  it('P9: a call that is shown whole is not shortened, whatever its texts say and however long its tool describes itself', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')
    for (const args of [
      { text: '⟨… 5 characters left out⟩' },
      { path: 'a', old_text: `${lines}\nx`, new_text: `${lines}\ny` },
    ]) {
      const content = { tool: 'x', arguments: args, definition: { description: LONG } }
      expect(renderCall(content).isShortened).toBe(undefined)
    }
  })
})
