/** The keyboard, key by key. Characters that can't be seen are no text, so none can be typed into a reason unseen. */
import { emitKeypressEvents } from 'node:readline'
import type { ReadStream } from 'node:tty'
import type { WatchKey } from './watch-state.ts'

export interface Keyboard {
  /** For a while another program reads the keys. */
  pause(): void
  resume(): void
  close(): void
}

/**
 * `read` says which keys there are; for the others nothing happens. `onKeys` gets those of one read of the input together,
 * and whether there was more than one key, ours or not: a person presses one at a time.
 */
export function openKeyboard<AnyKey>(
  input: ReadStream,
  read: (text: string | undefined, pressed: Pressed) => AnyKey | undefined,
  onKeys: (keys: readonly AnyKey[], isBurst: boolean) => void,
  onEnd: () => void,
): Keyboard {
  /** Those of the read that is under way. A lone Esc comes later, by a timer. */
  let together: { keys: AnyKey[]; count: number } | undefined
  const begin = () => {
    together = { keys: [], count: 0 }
  }
  const hear = (text: string | undefined, pressed: Pressed) => {
    const key = read(text, pressed)
    if (together !== undefined) together.count++
    if (key === undefined) return
    if (together === undefined) onKeys([key], false)
    else together.keys.push(key)
  }
  const finish = () => {
    const { keys = [], count = 0 } = together ?? {}
    together = undefined
    if (keys.length > 0) onKeys(keys, count > 1)
  }
  // Around the listener of `readline`, which makes the keys of a read one after another.
  emitKeypressEvents(input)
  input.on('keypress', hear)
  input.prependListener('data', begin)
  input.on('data', finish)
  input.once('end', onEnd)
  const resume = () => {
    input.setRawMode(true)
    input.resume()
  }
  const pause = () => {
    input.pause()
    input.setRawMode(false)
  }
  resume()
  return {
    pause,
    resume,
    close() {
      input.off('keypress', hear)
      input.off('data', begin)
      input.off('data', finish)
      input.off('end', onEnd)
      pause()
    },
  }
}

/** As `readline` gives it. */
export interface Pressed {
  name?: string | undefined
  ctrl?: boolean
  meta?: boolean
}

export function keyOf(text: string | undefined, { name, ctrl, meta }: Pressed): WatchKey | undefined {
  if (ctrl === true) {
    if (name === 'c' || name === 'd') return { kind: 'interrupt' }
    return name === 'u' ? { kind: 'erase_line' } : undefined
  }
  if (name === 'return' || name === 'enter') return { kind: 'enter' }
  if (name === 'escape') return { kind: 'escape' }
  if (name === 'backspace') return { kind: 'backspace' }
  if (meta === true || text === undefined || text === '' || /\p{C}/u.test(text)) return undefined
  return { kind: 'text', text }
}
