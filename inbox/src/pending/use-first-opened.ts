/**
 * Where there is room for both, the first request of the list is opened by itself, so that a look at the page is a look at a request.
 * It takes no focus, marks nothing and leaves no step to go back to, and its buttons take no click in their first moments, as always.
 * It happens once a visit: who closes what is open is left alone.
 */
import { useEffect, useRef } from 'preact/hooks'
import { useInbox } from '../context/context.ts'
import { now } from '../model/browser/now.ts'

export function useFirstOpened(isWide: boolean): void {
  const { pending, live, snoozed, openId, suggest } = useInbox()
  const hasOpened = useRef(false)
  const isOpen = openId.value !== undefined
  const isListed = live.isListed.value
  const requests = pending.value
  useEffect(() => {
    if (isOpen) hasOpened.current = true
    if (hasOpened.current || !isListed || !isWide) return
    const first = requests.find((request) => !snoozed.isSnoozed(request, now.peek()))
    if (first !== undefined) suggest(first.id)
  }, [isOpen, isListed, isWide, requests])
}
