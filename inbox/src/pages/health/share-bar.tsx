import { shareOf } from './scales.ts'

export interface ShareBarProps {
  /** One after another; what is left of the whole stays empty. */
  parts: readonly { kind: string; value: number }[]
  /** What the whole width stands for. */
  of: number
}

/** A bar beside figures that say the same: those who can't see it miss nothing. */
export function ShareBar({ parts, of }: ShareBarProps) {
  let at = 0
  const placed = parts.map(({ kind, value }) => {
    const width = shareOf(value, of)
    const x = at
    at += width
    return { kind, x, width }
  })
  return (
    <svg class="share-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {placed.map(({ kind, x, width }) =>
        width === 0 ? null : (
          <rect key={kind} class={`part is-${kind}`} x={x} y="0" width={width} height="10" />
        ),
      )}
    </svg>
  )
}
