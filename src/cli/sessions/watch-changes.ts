/** `--watch`: what is read once a second is shown when it has changed, until it is over or somebody leaves with Ctrl-C. */
import { setTimeout as pause } from 'node:timers/promises'
import { isClientError } from '../../client/index.ts'
import { safeJson } from '../output/safe-text.ts'
import type { Terminal } from '../output/terminal.ts'
import { watchWords } from '../watch/watch-words.ts'
import { untilInterrupted } from './until-interrupted.ts'

const EVERY_MS = 1000
const CLEAR = '\u001b[2J\u001b[H'

export interface Watched<T> {
  read(signal: AbortSignal): Promise<T>
  /** For people. */
  text(value: T): string
  /** What must differ for it to be shown again. */
  steady(value: T): unknown
  isOver?(value: T): boolean
}

export async function watchChanges<T>(
  terminal: Terminal,
  { read, text, steady, isOver }: Watched<T>,
  format: 'text' | 'json',
): Promise<void> {
  const { locale, isInteractive } = terminal
  let before: string | undefined
  let isLost = false

  function show(value: T): void {
    const now = JSON.stringify(steady(value))
    // On a screen, times go on too.
    const isRedrawn = format === 'text' && isInteractive
    if (now === before && !isRedrawn) return
    if (format === 'json') terminal.print(safeJson(value))
    else if (isInteractive) terminal.print(`${CLEAR}${text(value)}`)
    else terminal.print(before === undefined ? text(value) : `\n${text(value)}`)
    before = now
  }

  await untilInterrupted(async (signal) => {
    while (!signal.aborted) {
      try {
        const value = await read(signal)
        if (isLost) terminal.note(watchWords(locale).connected)
        isLost = false
        show(value)
        if (isOver?.(value)) return
      } catch (error) {
        if (!isClientError(error, 'unreachable') || before === undefined) throw error
        if (!isLost) terminal.note(watchWords(locale).lost(EVERY_MS / 1000))
        isLost = true
      }
      await pause(EVERY_MS, undefined, { signal })
    }
  })
}
