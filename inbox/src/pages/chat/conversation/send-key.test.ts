import { describe, expect, it } from 'vitest'
import { isSendKey } from './send-key.ts'

const pressed = (parts: Partial<KeyboardEvent>) =>
  isSendKey({
    key: 'Enter',
    isComposing: false,
    keyCode: 13,
    shiftKey: false,
    altKey: false,
    ...parts,
  })

describe('the key that sends', () => {
  it('is Enter, with Control or Command too', () => {
    expect([pressed({}), pressed({ ctrlKey: true }), pressed({ metaKey: true })]).toEqual([true, true, true])
  })

  it('is not Enter that breaks a line, or any other key', () => {
    expect([pressed({ shiftKey: true }), pressed({ altKey: true }), pressed({ key: 'a' })]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('is not Enter that ends a composition, however the browser tells it', () => {
    expect([pressed({ isComposing: true }), pressed({ keyCode: 229 })]).toEqual([false, false])
  })
})
