/** What the policy says of a call, with its sentences in the reader's language. */

import type { Because } from '../../core/reasons/reason.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { becauseToWire } from './reason-to-wire.ts'

type TranslatedExplanation = Awaited<ReturnType<Gateway['explain']>>

export function translateExplanation(
  explanation: TranslatedExplanation,
  locale: Locale,
): TranslatedExplanation {
  const { verdict, commands, doubts } = explanation
  const said = <T extends Because>(one: T): T => ({ ...one, ...becauseToWire(one, locale) })
  return {
    ...explanation,
    verdict: said(verdict),
    ...(commands === undefined
      ? {}
      : { commands: commands.map((command) => ({ ...said(command), doubts: command.doubts.map(said) })) }),
    ...(doubts === undefined ? {} : { doubts: doubts.map(said) }),
  }
}
