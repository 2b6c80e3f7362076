/** What the policy says of a call, with the sentences that are ours in the reader's language. */

import type { Locale } from '../../display/words/rendering-words.ts'
import { sayBecause, sayCommandBecause, sayDoubt } from '../../display/words/say-because.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'

type TranslatedExplanation = Awaited<ReturnType<Gateway['explain']>>

export function translateExplanation(
  explanation: TranslatedExplanation,
  locale: Locale,
): TranslatedExplanation {
  if (locale === 'en') return explanation
  const { verdict, tool, commands, doubts } = explanation
  type Doubts = NonNullable<TranslatedExplanation['doubts']>
  const said = (all: Doubts): Doubts => all.map((doubt) => ({ ...doubt, because: sayDoubt(doubt, locale) }))
  return {
    ...explanation,
    verdict: { ...verdict, because: sayBecause({ ...verdict, tool: tool.name }, locale) },
    ...(commands === undefined
      ? {}
      : {
          commands: commands.map((command) => ({
            ...command,
            because: sayCommandBecause(command, locale),
            doubts: said(command.doubts),
          })),
        }),
    ...(doubts === undefined ? {} : { doubts: said(doubts) }),
  }
}
