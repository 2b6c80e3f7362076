import { isBanksmanError } from '../../core/errors.ts'

/** The store could not do it, or could not say whether it did: nothing is known of what was asked. */
export function isStoreFault(error: unknown): boolean {
  return isBanksmanError(error) && error.code.startsWith('store_')
}
