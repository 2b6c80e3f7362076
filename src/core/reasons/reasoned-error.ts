/** An error that people are told in their language: its message is the English sentence of its reason, which is among its details. */

import { BanksmanError, type ErrorCode } from '../errors.ts'
import { sayInEnglish } from './english.ts'
import { type Because, isReason, type Reason } from './reason.ts'

export function reasonedError(
  code: ErrorCode,
  reason: Reason,
  details: BanksmanError['details'] = {},
  options?: ErrorOptions,
): BanksmanError {
  return new BanksmanError(code, sayInEnglish(reason), { ...details, reason }, options)
}

/** What an error says, for where it becomes a refusal. */
export function toldBy({ message, details }: BanksmanError): Because {
  const reason = reasonIn(details)
  return reason === undefined ? { because: message } : { because: message, reason }
}

/** Undefined where an error has none. */
export function reasonIn({ reason }: BanksmanError['details']): Reason | undefined {
  return isReason(reason) ? reason : undefined
}
