import { useInbox, useWords } from '../context/context.ts'
import { requestSummary } from '../model/requests/request-summary.ts'
import { wordFor } from '../words/words.ts'

/** Tells those who can't see the page what just changed on it. */
export function LiveRegion() {
  const words = useWords()
  const news = useInbox().live.news.value
  return (
    <div class="unseen" role="status">
      {news === undefined
        ? ''
        : news.kind === 'new'
          ? words.news.arrived(requestSummary(news.request))
          : words.news.changed(requestSummary(news.request), wordFor(words.state, news.request.state))}
    </div>
  )
}
