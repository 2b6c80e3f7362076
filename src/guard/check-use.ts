/** Whether `guard` and `hold` are called as they are meant to be: a misspelt option would be an option that nobody set. */
import type { Refused } from './contract.ts'

export const HOLD_OPTIONS = 'holdMs signal onAsked key can join remember rememberAllowed'

/** Said before anything is recorded and anybody is asked. `names`: the options, with a space between them. */
export function misuse(options: object = {}, names = HOLD_OPTIONS): Refused | undefined {
  const wrong = Object.keys(options).find((name) => !names.split(' ').includes(name))
  return wrong === undefined ? undefined : refused(`unknown option ${wrong} (${names})`)
}

export function misuseOfGuard(run: unknown, options: object, more = ''): Refused | undefined {
  if (typeof run !== 'function') return refused('guard needs a function to run')
  return misuse(options, `${HOLD_OPTIONS} durable summarize${more}`)
}

function refused(because: string): Refused {
  return { kind: 'refused', state: 'error', code: 'invalid_call', because, mayRetry: false }
}
