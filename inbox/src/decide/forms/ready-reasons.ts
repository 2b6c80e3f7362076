/** Ready-made reasons: they fill the text, and what somebody wrote stays in it. */

/** One that somebody has to finish. */
export function isUnfinishedReason(ready: string): boolean {
  return /[:：]\s*$/.test(ready)
}

/** Whether a text is no more than the beginning of a ready-made reason, which says nothing without the rest. */
export function lacksItsRest(text: string, all: readonly string[]): boolean {
  const written = text.trim()
  return all.some((each) => isUnfinishedReason(each) && each.trim() === written)
}

/** One takes the place of another; what somebody wrote comes after it. */
export function withReason(text: string, ready: string, all: readonly string[]): string {
  const known = all.find((each) => text.startsWith(each))
  const own = (known === undefined ? text : text.slice(known.length)).replace(/^[.。]?\s*/, '')
  if (own === '') return ready
  const stop = isUnfinishedReason(ready) ? '' : /\p{Script=Han}$/u.test(ready) ? '。' : '. '
  return `${ready}${stop}${own}`
}
