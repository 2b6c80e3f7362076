/** Whether `guard` and `hold` are called as they are meant to be: a misspelt option would be an option that nobody set. */
import { BanksmanError } from '../core/errors.ts'
import { nearestWord } from '../core/support/nearest-word.ts'

const HOLD = ['holdMs', 'signal', 'onAsked', 'key', 'can', 'join', 'remember', 'rememberAllowed']
const GUARD = [...HOLD, 'durable', 'summarize']

/** Throws before anything is recorded and anybody is asked. `more`: what only one implementation takes. */
export function checkGuardUse(run: unknown, options: object, more: readonly string[] = []): void {
  if (typeof run !== 'function')
    throw new BanksmanError(
      'invalid_call',
      'guard needs the function that runs the tool, as in guard(call, (args) => …)',
    )
  checkNames(options, [...GUARD, ...more])
}

export function checkHoldOptions(options: object, more: readonly string[] = []): void {
  checkNames(options, [...HOLD, ...more])
}

function checkNames(options: object, known: readonly string[]): void {
  const wrong = Object.keys(options).find((name) => !known.includes(name))
  if (wrong === undefined) return
  const meant = nearestWord(wrong, known)
  throw new BanksmanError(
    'invalid_call',
    `unknown option ${JSON.stringify(wrong)}${meant === undefined ? '' : `; did you mean ${meant}?`}. The options are ${known.join(', ')}`,
  )
}
