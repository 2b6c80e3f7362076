import { expect } from 'vitest'

/** Presses it until that has had an effect: input in the first moments of what appears is ignored. */
export async function pressUntil(press: () => Promise<void>, isSo: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      if (await isSo()) return true
      await press().catch(() => {})
      return isSo()
    })
    .toBe(true)
}
