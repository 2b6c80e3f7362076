import { describe, expect, it } from 'vitest'
import { keyOf } from './keys.ts'

describe('keyOf', () => {
  it.each([
    ['y', { name: 'y' }, { kind: 'text', text: 'y' }],
    ['漢', {}, { kind: 'text', text: '漢' }],
    ['?', {}, { kind: 'text', text: '?' }],
    ['\r', { name: 'return' }, { kind: 'enter' }],
    ['\n', { name: 'enter' }, { kind: 'enter' }],
    ['\u007f', { name: 'backspace' }, { kind: 'backspace' }],
    ['\u001b', { name: 'escape', meta: true }, { kind: 'escape' }],
    ['\u0003', { name: 'c', ctrl: true }, { kind: 'interrupt' }],
    ['\u0004', { name: 'd', ctrl: true }, { kind: 'interrupt' }],
    ['\u0015', { name: 'u', ctrl: true }, { kind: 'erase_line' }],
  ])('%j', (text, pressed, key) => {
    expect(keyOf(text, pressed)).toEqual(key)
  })

  it.each([
    ['\u0019', { name: 'y', ctrl: true }],
    ['\u001by', { name: 'y', meta: true }],
    [undefined, { name: 'up' }],
    ['\u202e', {}],
    ['\u200b', {}],
    ['\t', { name: 'tab' }],
  ])('P9: %j is no key of ours', (text, pressed) => {
    expect(keyOf(text, pressed)).toBeUndefined()
  })
})
