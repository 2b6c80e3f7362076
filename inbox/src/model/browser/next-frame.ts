/** With the next frame that the page draws; in a page that is hidden, and draws none, a moment later. */
const WITHOUT_FRAMES_MS = 100

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
