/** The arithmetic of small plots: how high a bar is, how long a share, which days get a name. */

export interface Bar {
  /** From the left and from the top, in parts of 100. */
  x: number
  width: number
  y: number
  height: number
}

/** What is not nothing is never drawn as nothing. */
const LEAST_HEIGHT = 3
/** How much of its place a bar takes. */
const BAR_SHARE = 0.72

export function barsOf(values: readonly number[], top: number): Bar[] {
  const place = 100 / Math.max(1, values.length)
  return values.map((value, index) => {
    const height = value <= 0 ? 0 : Math.max(LEAST_HEIGHT, Math.min(100, (value / top) * 100))
    return {
      x: index * place + (place * (1 - BAR_SHARE)) / 2,
      width: place * BAR_SHARE,
      y: 100 - height,
      height,
    }
  })
}

/** The share of something, 0 to 100, for the length of a bar. */
export function shareOf(value: number, of: number): number {
  if (!(of > 0) || !(value > 0)) return 0
  return Math.min(100, (value / of) * 100)
}

/** Which of so many days are named on the axis: the first, the last, and some in between. */
export function namedDays(count: number, most = 4): number[] {
  if (count <= 0) return []
  if (count <= most) return Array.from({ length: count }, (_, index) => index)
  const step = (count - 1) / (most - 1)
  return Array.from({ length: most }, (_, index) => Math.round(index * step))
}

/** The middle of a bar's place, in parts of 100: its name stands below it. */
export function middleOf(index: number, count: number): number {
  return ((index + 0.5) / Math.max(1, count)) * 100
}
