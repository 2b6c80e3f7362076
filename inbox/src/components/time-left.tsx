import { useWords } from '../context/context.ts'
import { now } from '../model/browser/now.ts'

/** Counts down by this machine's clock. Whether it is over, the server says. */
export function TimeLeft({ expiresAt }: { expiresAt: string | null }) {
  const words = useWords()
  if (expiresAt === null) return null
  const leftMs = Date.parse(expiresAt) - now.value
  return (
    <time class={leftMs < 60_000 ? 'time-left is-short' : 'time-left'} dateTime={expiresAt}>
      {leftMs > 0 ? words.timeLeft(leftMs) : words.timeUp}
    </time>
  )
}
