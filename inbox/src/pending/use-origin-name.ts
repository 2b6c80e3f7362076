/** Who wants something, and in which conversation: "planner › coder · Publish the release". */
import type { WireRequest } from '../../../src/client/index.ts'
import { useSessionName } from '../components/use-session-name.ts'
import { useOwnWords } from '../context/context.ts'
import { lineageOf } from './arrange-requests.ts'
import { PENDING_WORDS } from './words.ts'

export function useOriginName(request: WireRequest): string {
  const words = useOwnWords(PENDING_WORDS)
  return words.group(lineageOf(request).join(' › '), useSessionName(request))
}
