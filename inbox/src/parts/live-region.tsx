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
          ? words.news.arrived(news.request.rendering.summary)
          : words.news.changed(news.request.rendering.summary, wordFor(words.state, news.request.state))}
    </div>
  )
}
