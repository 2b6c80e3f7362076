import { expect, it } from 'vitest'
import { makeVisible } from './visible.ts'

it.each(['\u0331', '\u0332', '\u0333', '\u0347', '\u035f'])(
  'P9: a mark that can pass for an underscore is written out: %j',
  (mark) => {
    const { text, spans } = makeVisible(`x${mark}y`)
    expect(text).not.toContain(mark)
    expect(spans.some(({ kind }) => kind === 'escape')).toBe(true)
  },
)
