/** What an approval can allow beyond one call, as a terminal shows it: from narrow to wide, with what each is worth. */
import { type Client, isClientError, type WireRequest, type WireSuggestion } from '../../client/index.ts'
import { wrapWords } from './fit-to-width.ts'
import type { RequestTextOptions } from './request-text.ts'
import { requestWords } from './request-words.ts'
import { rendered } from './safe-text.ts'

export function suggestionsText(
  suggestions: readonly WireSuggestion[],
  { locale, paint, columns }: RequestTextOptions,
): string {
  const words = requestWords(locale)
  const width = Math.max(...suggestions.map(({ id }) => id.length))
  const lines = suggestions.flatMap((suggestion) => {
    const { id, words: what, matched } = suggestion
    const indent = ' '.repeat(2 + width + 2)
    return [
      `  ${oneLine(id).padEnd(width)}  ${oneLine(what)}`,
      `${indent}${words.matched(matched)}`,
      ...matched.examples.map((example) => paint('dim', `${indent}${words.example} ${oneLine(example)}`)),
    ]
  })
  return [`${words.suggestions}:`, ...lines.flatMap((line) => wrapWords(line, columns))].join('\n')
}

/** None where there is nothing to choose, or where it is not the reader's to choose. */
export async function suggestionsOf(client: Client, request: WireRequest): Promise<WireSuggestion[]> {
  const { id, state, kind, yours, scopes } = request
  if (state !== 'pending' || kind === 'question' || !yours || scopes.every((scope) => scope === 'once'))
    return []
  try {
    return (await client.suggestions(id)).suggestions
  } catch (error) {
    // It was decided in this moment.
    if (isClientError(error, 'not_pending')) return []
    throw error
  }
}

function oneLine(text: string): string {
  return rendered(text).replaceAll('\n', ' ')
}
