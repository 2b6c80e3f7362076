/**
 * With the next frame that the page draws. A hidden page draws none: it runs a second later, or as soon as the page is shown. Ten
 * tabs that ran at once would take the processor from the one that a person looks at.
 */
const WITHOUT_FRAMES_MS = 1000

export function onNextFrame(run: () => void): void {
  let isDone = false
  const once = () => {
    if (isDone) return
    isDone = true
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    run()
  }
  const frame = requestAnimationFrame(once)
  const timer = setTimeout(once, WITHOUT_FRAMES_MS)
}
