/**
 * Several keys that came in one read: a paste that the terminal did not mark, or a program that writes. Nobody pressed
 * them one by one and looked at what each did, so where one key decides they decide nothing. Where text is typed they
 * are text.
 */
import { READING_MS } from '../output/terminal.ts'
import { pressKey } from './press-key.ts'
import type { WatchKey, WatchState, WatchStep } from './watch-state.ts'
import type { WatchWords } from './watch-words.ts'

export function pressTogether(
  state: WatchState,
  keys: readonly WatchKey[],
  at: number,
  words: WatchWords,
): WatchStep {
  const { step, isIgnored } = pressEach(
    state,
    keys,
    (now, key) => pressKey(now, key, at, words),
    (now, key) => key.kind !== 'interrupt' && (now.current?.kind !== 'shown' || takesOneKey(now, state)),
  )
  if (!isIgnored) return step
  const told = { kind: 'bad' as const, text: words.severalKeys }
  return { ...step, state: quietAgain(step.state, at), outputs: [...step.outputs, told] }
}

/** Presses them one after another, but for those that are ignored where they would hit. */
export function pressEach<State, AnyKey, Output, Action>(
  state: State,
  keys: readonly AnyKey[],
  press: (state: State, key: AnyKey) => { state: State; outputs: Output[]; actions: Action[] },
  ignores: (state: State, key: AnyKey) => boolean,
): { step: { state: State; outputs: Output[]; actions: Action[] }; isIgnored: boolean } {
  const step = { state, outputs: [] as Output[], actions: [] as Action[] }
  let isIgnored = false
  for (const key of keys) {
    if (ignores(step.state, key)) {
      isIgnored = true
      continue
    }
    const next = press(step.state, key)
    step.state = next.state
    step.outputs.push(...next.outputs)
    step.actions.push(...next.actions)
  }
  return { step, isIgnored }
}

/**
 * Whether a key by itself does something to the request on the screen. The word yes is text, unless it was only asked for
 * after the read had `begun`: then nobody has seen that it is.
 */
export function takesOneKey({ current }: WatchState, begun: WatchState): boolean {
  if (current?.kind !== 'shown') return false
  const { mode } = current
  if (mode.kind !== 'line')
    return ['reading', 'confirming_edit', 'confirming_all', 'gone'].includes(mode.kind)
  return mode.purpose.kind === 'yes' && !isAskedForYes(begun)
}

/** What is left of the burst may come in a read of its own, and does not count either. */
export function quietAgain(state: WatchState, at: number): WatchState {
  const { current } = state
  if (current?.kind !== 'shown') return state
  return { ...state, current: { ...current, quietUntil: Math.max(current.quietUntil, at + READING_MS) } }
}

function isAskedForYes({ current }: WatchState): boolean {
  return current?.kind === 'shown' && current.mode.kind === 'line' && current.mode.purpose.kind === 'yes'
}
