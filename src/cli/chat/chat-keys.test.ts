import { describe, expect, it } from 'vitest'
import { createKeyReader } from './chat-keys.ts'

describe('the keyboard of a chat', () => {
  it.each([
    ['\u0003', { name: 'c', ctrl: true }, { kind: 'interrupt' }],
    ['\u0004', { name: 'd', ctrl: true }, { kind: 'leave' }],
    ['\u0017', { name: 'w', ctrl: true }, { kind: 'erase_word' }],
    ['y', { name: 'y' }, { kind: 'text', text: 'y' }],
    ['\r', { name: 'return' }, { kind: 'enter' }],
  ])('%j', (text, pressed, key) => {
    expect(createKeyReader()(text, pressed)).toEqual(key)
  })

  it('what is pasted is one key, with its lines and without what can’t be seen', () => {
    const read = createKeyReader()
    expect(read(undefined, { name: 'paste-start' })).toBeUndefined()
    for (const [text, name] of [
      ['y', 'y'],
      ['\r', 'return'],
      ['\u202e', undefined],
      ['\u0003', 'c'],
      ['漢', undefined],
    ] as const) {
      expect(read(text, { name, ctrl: name === 'c' })).toBeUndefined()
    }
    expect(read(undefined, { name: 'paste-end' })).toEqual({ kind: 'paste', text: 'y\n漢' })
    expect(read('y', { name: 'y' })).toEqual({ kind: 'text', text: 'y' })
  })

  it('nothing pasted is no key', () => {
    const read = createKeyReader()
    read(undefined, { name: 'paste-start' })
    expect(read(undefined, { name: 'paste-end' })).toBeUndefined()
  })
})
