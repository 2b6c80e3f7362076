/** The keyboard, key by key. Characters that can't be seen are no text, so none can be typed into a reason unseen. */
import { emitKeypressEvents } from 'node:readline'
import type { ReadStream } from 'node:tty'
import type { Key } from './watch-state.ts'

export interface Keyboard {
  /** For a while another program reads the keys. */
  pause(): void
  resume(): void
  close(): void
}

/** `read` says which keys there are; for the others nothing happens. */
export function openKeyboard<AnyKey>(
  input: ReadStream,
  read: (text: string | undefined, pressed: Pressed) => AnyKey | undefined,
  onKey: (key: AnyKey) => void,
  onEnd: () => void,
): Keyboard {
  emitKeypressEvents(input)
  const hear = (text: string | undefined, pressed: Pressed) => {
    const key = read(text, pressed)
    if (key !== undefined) onKey(key)
  }
  input.on('keypress', hear)
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

export function keyOf(text: string | undefined, { name, ctrl, meta }: Pressed): Key | undefined {
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
