/** Who wants something, and in which conversation: "planner › coder · Publish the release". */
import type { WireRequest } from '../../../src/client/index.ts'
import { useInbox, useOwnWords } from '../context/context.ts'
import { visible } from '../model/text/visible-line.ts'
import { lineageOf } from './arrange-requests.ts'
import { PENDING_WORDS } from './words.ts'

export function useOriginName(request: WireRequest): string {
  const { titles } = useInbox()
  const words = useOwnWords(PENDING_WORDS)
  return words.group(lineageOf(request).join(' › '), titles.titleOf(request) ?? visible(request.session))
}
