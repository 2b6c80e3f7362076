import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { WireRequest } from '../../../src/client/index.ts'
import { useInbox, useOwnWords, useWords } from '../context/context.ts'
import { now } from '../model/browser/now.ts'
import { arrangeRequests, matchesSearch, type PendingListItem } from './arrange-requests.ts'
import { GroupRow } from './group-row.tsx'
import { RequestRow } from './request-row.tsx'
import { SnoozedList } from './snoozed-list.tsx'
import { UnsettledLink } from './unsettled-list.tsx'
import { useVisibleRows } from './use-visible-rows.ts'
import { PENDING_WORDS } from './words.ts'

/** From here on a filter helps more than it takes room. */
const WORTH_A_FILTER = 6

const NONE: readonly WireRequest[] = []

/** What waits for somebody, the one with the least time left first. */
export function PendingList() {
  const { pending, live, snoozed, openId, titles } = useInbox()
  const words = useWords()
  const own = useOwnWords(PENDING_WORDS)
  const [filter, setFilter] = useState('')
  const [focused, setFocused] = useState<string>()
  const list = useRef<HTMLUListElement>(null)
  const requests = pending.value
  const isAnySnoozed = snoozed.until.value.size > 0
  const moment = isAnySnoozed ? now.value : 0
  const { shown, putOff } = useMemo(() => {
    const matches = (request: WireRequest) => matchesSearch(request, filter, titles.knownTitleOf(request))
    const found = filter === '' ? requests : requests.filter(matches)
    if (!isAnySnoozed) return { shown: found, putOff: NONE }
    const isOff = (request: WireRequest) => snoozed.isSnoozed(request, moment)
    return { shown: found.filter((each) => !isOff(each)), putOff: found.filter(isOff) }
  }, [requests, filter, moment, snoozed.until.value])
  const items = useMemo(() => arrangeRequests(shown), [shown])
  const { from, to, above, below, reveal } = useVisibleRows(list, items)

  useEffect(() => {
    const walk = (event: Event) => {
      const next = neighbour(
        items,
        currentOf(list.current) ?? openId.peek(),
        (event as CustomEvent<1 | -1>).detail,
      )
      if (next === undefined) return
      reveal(next)
      const { key } = items[next]!
      // At once where it is drawn already: the next key may follow before the next frame.
      if (!focusRow(list.current, key)) setFocused(key)
    }
    const here = list.current
    here?.addEventListener('walk', walk)
    return () => here?.removeEventListener('walk', walk)
  })
  useEffect(() => {
    if (focused === undefined) return
    focusRow(list.current, focused)
    setFocused(undefined)
  }, [focused, from, to])

  return (
    <section aria-labelledby="pending">
      <div class="list-heading">
        <h2 id="pending">
          {words.pending} {requests.length === 0 ? null : <span class="count">{requests.length}</span>}
        </h2>
        <UnsettledLink />
        {requests.length >= WORTH_A_FILTER || filter !== '' ? (
          <input
            class="filter"
            type="search"
            data-key="/"
            aria-label={own.filter}
            placeholder={own.filter}
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        ) : null}
      </div>
      <ul class="rows" ref={list} data-rows>
        {above > 0 ? <li class="spacer" role="presentation" style={{ height: `${above}px` }} /> : null}
        {items
          .slice(from, to)
          .map((item) =>
            item.kind === 'group' ? (
              <GroupRow key={item.key} group={item.group} />
            ) : (
              <RequestRow key={item.key} request={item.request} isGrouped={item.isGrouped} />
            ),
          )}
        {below > 0 ? <li class="spacer" role="presentation" style={{ height: `${below}px` }} /> : null}
      </ul>
      {items.length > 0 ? null : (
        <p class="hint">
          {!live.isListed.value ? words.loading : filter === '' ? words.nothingPending : own.nothingFound}
        </p>
      )}
      {live.more.value === undefined ? null : <p class="hint">{own.more(live.more.value)}</p>}
      <SnoozedList requests={putOff} />
    </section>
  )
}

function focusRow(list: HTMLElement | null, id: string): boolean {
  const row = list?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] .row`)
  row?.focus()
  return row !== null && row !== undefined
}

function currentOf(list: HTMLElement | null): string | undefined {
  const row = document.activeElement?.closest<HTMLElement>('[data-id]')
  return row !== null && row !== undefined && list?.contains(row) ? row.dataset.id : undefined
}

function neighbour(
  items: readonly PendingListItem[],
  from: string | undefined,
  step: 1 | -1,
): number | undefined {
  const at = items.findIndex(({ key }) => key === from)
  const start = at === -1 && step === -1 ? items.length : at
  for (let next = start + step; next >= 0 && next < items.length; next += step) {
    if (items[next]!.kind === 'request') return next
  }
  return at === -1 ? undefined : at
}
