/** Wakes the one who waits. A ring that nobody waited for is not lost: the next wait returns at once. */
export interface WakeSignal {
  ring(): void
  rung(): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let isRung = false
  let wake = () => {}
  return {
    ring() {
      isRung = true
      wake()
    },
    async rung() {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      isRung = false
    },
  }
}
