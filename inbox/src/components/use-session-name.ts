/** How a session is called: by its conversation's title, or by what its id says of it. */
import type { WireRequest } from '../../../src/client/index.ts'
import { saySessionName } from '../../../src/display/words/session-names.ts'
import { useInbox, useLocale } from '../context/context.ts'

export function useSessionName(request: Pick<WireRequest, 'session' | 'origin' | 'cwd'>): string {
  const { titles } = useInbox()
  const locale = useLocale()
  return titles.titleOf(request) ?? saySessionName(request, locale)
}
