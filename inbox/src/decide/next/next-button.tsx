import type { WireRequest } from '../../../../src/client/index.ts'
import { useArmed } from '../../components/use-armed.ts'
import { whenArmed } from '../../components/when-armed.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { now } from '../../model/browser/now.ts'
import { DECIDE_WORDS } from '../words/words.ts'
import { nextRequestAfter } from './next-request.ts'

/** The way to the next one that waits. Nobody is taken there without asking. */
export function NextButton({ request, tone }: { request: WireRequest; tone: 'quiet' | 'primary' }) {
  const { pending, snoozed, open, openId } = useInbox()
  const words = useOwnWords(DECIDE_WORDS).next
  const { id, left } = nextRequestAfter(request, pending.value, (each) => snoozed.isSnoozed(each, now.peek()))
  // Which one it is may change with every arrival; that it leads to another one does not.
  const isArmed = useArmed(`${request.id} ${request.state}`)
  if (openId.value !== request.id || id === undefined) return null
  return (
    <button
      type="button"
      class={tone}
      data-key="n"
      title={words.count(left)}
      onClick={() => whenArmed(isArmed, () => open(id))}
    >
      {words.one(left)}
    </button>
  )
}
