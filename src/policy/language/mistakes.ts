/**
 * Several mistakes in one text, told together: whoever mends a file wants to hear of all of them at once. Each check is run,
 * also when one before it has failed; then all that was found is thrown as one error, whose message has a line for each.
 */
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'

/** One of them. The details say where it stands and what was probably meant. */
export interface Mistake {
  message: string
  [detail: string]: unknown
}

/** More than a person mends at once. */
const MAX_TOLD = 50

/** What the checks give. Throws `invalid_policy` or `invalid_configuration` with all that they found. */
export function checkTogether<T extends readonly unknown[]>(
  ...checks: { readonly [K in keyof T]: () => T[K] }
): T {
  return checkEach(checks as readonly (() => unknown)[]) as unknown as T
}

export function checkEach<T>(checks: readonly (() => T)[]): T[] {
  const errors: BanksmanError[] = []
  const results: T[] = []
  for (const check of checks) {
    try {
      results.push(check())
    } catch (error) {
      if (!isMistake(error)) throw error
      errors.push(error)
    }
  }
  const [first] = errors
  if (first === undefined) return results
  if (errors.length === 1) throw first
  throw mistakesError(first.code, errors.flatMap(mistakesOf))
}

export function isMistake(error: unknown): error is BanksmanError {
  return isBanksmanError(error, 'invalid_policy') || isBanksmanError(error, 'invalid_configuration')
}

/** Every mistake that an error tells of. */
export function mistakesOf({ message, details }: BanksmanError): Mistake[] {
  return Array.isArray(details.mistakes) ? (details.mistakes as Mistake[]) : [{ ...details, message }]
}

/** One error for all of them. Its own details are those of the first. */
export function mistakesError(
  code: BanksmanError['code'],
  mistakes: readonly Mistake[],
  words: (mistake: Mistake) => string = ({ message }) => message,
): BanksmanError {
  const told = mistakes.slice(0, MAX_TOLD)
  const more = mistakes.length - told.length
  const lines = [...told.map(words), ...(more === 0 ? [] : [`and ${more} more`])]
  const { message: _, ...details } = told[0] ?? { message: '' }
  return new BanksmanError(code, lines.join('\n'), { ...details, mistakes: told })
}
