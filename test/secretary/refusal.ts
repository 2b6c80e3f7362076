import { isBanksmanError } from '../../src/core/errors.ts'

/** The code of what it throws. */
export async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (isBanksmanError(error)) return error.code
    throw error
  }
}
