import { useInbox, useWords } from '../context/context.ts'

/** Says that what is shown may be old, for as long as that is so. */
export function ConnectionBanner() {
  const { live } = useInbox()
  const words = useWords()
  const connection = live.connection.value
  if (connection.kind !== 'lost') return null
  const isOdd = connection.error.code === 'unexpected_answer'
  return (
    <div class="banner" role="alert">
      <span>{isOdd ? words.connection.refused : words.connection.lost}</span>
      <button type="button" onClick={live.hurry}>
        {words.connection.retry}
      </button>
    </div>
  )
}
