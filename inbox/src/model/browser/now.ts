/** The time, second by second, while somebody looks. */
import { type ReadonlySignal, signal } from '@preact/signals'

const ticking = signal(Date.now())
setInterval(() => {
  ticking.value = Date.now()
}, 1000)

export const now: ReadonlySignal<number> = ticking
