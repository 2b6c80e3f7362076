import { gistOf } from '../model/gist.ts'
import { wordFor } from '../words/words.ts'
import { useInbox, useWords } from './context.ts'

/** Tells those who can't see the page what just changed on it. */
export function LiveRegion() {
  const words = useWords()
  const news = useInbox().live.news.value
  return (
    <div class="unseen" role="status">
      {news === undefined
        ? ''
        : news.kind === 'new'
          ? words.news.arrived(gistOf(news.request))
          : words.news.changed(gistOf(news.request), wordFor(words.state, news.request.state))}
    </div>
  )
}
