import { PassThrough } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { describe, expect, it } from 'vitest'
import { keyOf, openKeyboard } from './keys.ts'
import type { WatchKey } from './watch-state.ts'

describe('openKeyboard', () => {
  /** A read of a terminal is what it was given at once. */
  function openWith(...reads: (string | Buffer)[]): [keys: string, isBurst: boolean][] {
    const input = Object.assign(new PassThrough(), { setRawMode: () => input }) as unknown as ReadStream
    const heard: [string, boolean][] = []
    const nameOf = (key: WatchKey) => (key.kind === 'text' ? key.text : key.kind)
    const keyboard = openKeyboard(
      input,
      keyOf,
      (keys, isBurst) => heard.push([keys.map(nameOf).join(' '), isBurst]),
      () => {},
    )
    for (const read of reads) input.emit('data', Buffer.from(read))
    keyboard.close()
    input.emit('data', Buffer.from('y'))
    return heard
  }

  it('P5: one character or one escape sequence in a read is a key, and more are several', () => {
    expect(openWith('y', 'n', '漢', '😀', '\r')).toEqual([
      ['y', false],
      ['n', false],
      ['漢', false],
      ['😀', false],
      ['enter', false],
    ])
    expect(openWith('yes\r')).toEqual([['y e s enter', true]])
    expect(openWith('yy', 'y')).toEqual([
      ['y y', true],
      ['y', false],
    ])
  })

  it('P5: keys that are none of ours count too', () => {
    expect(openWith('\u001b[A', '\u001b[A\u001b[B')).toEqual([])
    expect(openWith('\u202ey', '\u001b[Ay')).toEqual([
      ['y', true],
      ['y', true],
    ])
  })

  it('a character that comes in two reads is one key', () => {
    const bytes = Buffer.from('漢')
    expect(openWith(bytes.subarray(0, 1), bytes.subarray(1))).toEqual([['漢', false]])
  })
})

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
