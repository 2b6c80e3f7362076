/** A warning in the reader's language. It quotes from the file, so it goes through the file's masks, as a whole. */
import { defined } from '../../core/defined.ts'
import { sayReason } from '../../display/reasons/say-reason.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { WirePolicyWarning } from '../../wire/types/policy.ts'
import type { PlacedWarning } from './check-policy.ts'

export function warningToWire(
  { message, reason, ...place }: PlacedWarning,
  locale: Locale,
  mask: (text: string) => string,
): WirePolicyWarning {
  const said = sayReason({ because: message, ...defined({ reason }) }, locale, (text) => text)
  return { ...place, message: mask(said) }
}
