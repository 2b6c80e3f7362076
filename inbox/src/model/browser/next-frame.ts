/**
 * When the page has drawn its next frame: what a click has changed is on the screen before a long list is arranged again. A hidden page draws
 * none: it runs some seconds later, or as soon as the page is shown. Ten tabs that ran at once, or all in the same later moment, would take
 * the processor from the one that a person looks at.
 */
const WITHOUT_FRAMES_MS = 1000
const SPREAD_MS = 3000

export function onNextFrame(run: () => void): void {
  let isDone = false
  const once = () => {
    if (isDone) return
    isDone = true
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    run()
  }
  // A task that is made in a frame runs when the frame is drawn.
  const frame = requestAnimationFrame(() => setTimeout(once))
  const timer = setTimeout(once, WITHOUT_FRAMES_MS + Math.random() * SPREAD_MS)
}
