import { sayState } from '../../../src/display/words/request-states.ts'
import { useInbox, useLocale, useWords } from '../context/context.ts'
import { requestTitle } from '../model/requests/request-title.ts'

/** Tells those who can't see the page what just changed on it. */
export function LiveRegion() {
  const words = useWords()
  const locale = useLocale()
  const news = useInbox().live.news.value
  return (
    <div class="unseen" role="status">
      {news === undefined
        ? ''
        : news.kind === 'new'
          ? words.news.arrived(requestTitle(news.request))
          : words.news.changed(
              requestTitle(news.request),
              sayState(news.request.state, locale, news.request.outcome?.kind),
            )}
    </div>
  )
}
