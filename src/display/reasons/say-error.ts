/** What somebody is told of an error: by its reason in their language, and otherwise in its own words. */
import type { BanksmanError, ErrorCode } from '../../core/errors.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { type CodeWith, reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonIn } from '../../core/reasons/reasoned-error.ts'
import type { Locale } from '../words/rendering-words.ts'
import { sayKnown, sayReason } from './say-reason.ts'
import type { ShowText } from './show-reason.ts'

/** Of several mistakes each has a line. */
export function sayError(error: BanksmanError, locale: Locale, show?: ShowText): string {
  const { lines } = error.details
  if (Array.isArray(lines))
    return lines.map((line: Reason) => sayKnown(line, locale, show) ?? line.code).join('\n')
  const reason = reasonOfError(error)
  return reason === undefined ? error.message : sayReason({ because: error.message, reason }, locale, show)
}

/** Of a store's fault people are told what it means for them; its own words are for who looks after the server. */
export function reasonOfError({ code, message: why, details }: BanksmanError): Reason | undefined {
  const general = FAULTS[code]
  return reasonIn(details) ?? (general === undefined ? undefined : reasonOf(general, { why }))
}

const FAULTS: Partial<Record<ErrorCode, CodeWith<'why'>>> = {
  store_unavailable: 'problem.store',
  store_locked: 'problem.store',
  store_full: 'problem.store-full',
  store_corrupt: 'problem.store-broken',
  schema_newer: 'problem.store-broken',
  closed: 'problem.closing',
}
