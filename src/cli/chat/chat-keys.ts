/**
 * The keyboard of a chat. It knows two keys more than `requests watch`, and what is pasted: terminals that can mark it
 * are asked to, so that a line break in a pasted text sends nothing, and a letter in it decides nothing.
 */
import { keyOf, type Pressed } from '../watch/keys.ts'
import type { ChatKey } from './chat-state.ts'

export const PASTE_MARKS_ON = '\u001b[?2004h'
export const PASTE_MARKS_OFF = '\u001b[?2004l'

export type ReadKey = (text: string | undefined, pressed: Pressed) => ChatKey | undefined

export function createKeyReader(): ReadKey {
  let pasted: string | undefined
  return (text, pressed) => {
    if (pressed.name === 'paste-start') {
      pasted = ''
      return undefined
    }
    if (pressed.name === 'paste-end') {
      const whole = pasted ?? ''
      pasted = undefined
      return whole === '' ? undefined : { kind: 'paste', text: whole }
    }
    if (pasted !== undefined) {
      pasted += pastedText(text, pressed)
      return undefined
    }
    if (pressed.ctrl === true && pressed.name === 'd') return { kind: 'leave' }
    if (pressed.ctrl === true && pressed.name === 'w') return { kind: 'erase_word' }
    return keyOf(text, pressed)
  }
}

/** Lines and tabs stay; what can't be seen does not get in. */
function pastedText(text: string | undefined, { name }: Pressed): string {
  if (name === 'return' || name === 'enter') return '\n'
  if (name === 'tab') return '\t'
  return text === undefined || /\p{C}/u.test(text) ? '' : text
}
