import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../src/client/index.ts'
import { maskArguments } from '../../../../src/display/masks/mask.ts'
import { printJson } from './print-json.ts'

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`

describe('all arguments as JSON', () => {
  it('is the JSON that it stands for', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const args = JSON.parse(JSON.stringify(value)) as JsonObject
        // Characters that JSON would write as codes are left for the page to write out.
        const { text } = printJson({ arguments: args, masks: [] })
        fc.pre(!/[\0-\x08\x0b-\x1f\x0b\x0c\r]/.test(text))
        expect(JSON.parse(text)).toEqual(args)
      }),
    )
  })

  it('P9: says where the masks stand, and takes no text for one that only looks like it', () => {
    const { value, masks } = maskArguments({
      api_token: TOKEN,
      note: '⟨masked: GitHub token, 40 characters⟩',
    })
    const { text, marks } = printJson({ arguments: value, masks })
    expect(marks).toHaveLength(1)
    const [{ start, end, span } = { start: 0, end: 0, span: undefined }] = marks
    expect(text.slice(start, end)).toBe(span?.text)
    expect(text.slice(start - 3, start)).toBe('": ')
    expect(text).not.toContain(TOKEN)
  })
})
