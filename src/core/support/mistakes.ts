/**
 * Several mistakes in one text, told together: whoever mends a file wants to hear of all of them at once. Each check is run,
 * also when one before it has failed; then all that was found is thrown as one error, whose message has a line for each.
 */
import { BanksmanError, isBanksmanError } from '../errors.ts'
import { sayInEnglish } from '../reasons/english.ts'
import { isReason, type Reason } from '../reasons/reason.ts'
import { reasonOf } from '../reasons/reason-of.ts'

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

/** One error for all of them. Its own details are those of the first. `placed` says where one stands. */
export function mistakesError(
  code: BanksmanError['code'],
  mistakes: readonly Mistake[],
  placed: (mistake: Mistake, why: Reason) => Reason = (_, why) => why,
): BanksmanError {
  const told = mistakes.slice(0, MAX_TOLD)
  const more = mistakes.length - told.length
  const lines = told.map((mistake) => placed(mistake, reasonOfMistake(mistake)))
  if (more > 0) lines.push(reasonOf('mistake.more', { count: more }))
  const { message: _, reason: __, ...details } = told[0] ?? { message: '' }
  return new BanksmanError(code, lines.map(sayInEnglish).join('\n'), { ...details, mistakes: told, lines })
}

/** What only its words are known of is told in them. */
export function reasonOfMistake({ message, reason }: Mistake): Reason {
  return isReason(reason) ? reason : reasonOf('mistake.text', { text: message })
}
