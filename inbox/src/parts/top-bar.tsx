import { useSpeech, useWords } from './context.ts'

/** The name, the other language, and who is in. */
export function TopBar({ subject, leave }: { subject?: string; leave?: () => void }) {
  const { language } = useSpeech()
  const words = useWords()
  const other = language.value === 'en' ? 'zh' : 'en'
  return (
    <header class="top-bar">
      <span class="logo" aria-hidden="true" />
      <h1>Banksman</h1>
      <button type="button" class="quiet" lang={other} onClick={() => (language.value = other)}>
        {words.otherLanguage}
      </button>
      {subject === undefined ? null : <span class="subject">{subject}</span>}
      {leave === undefined ? null : (
        <button type="button" class="quiet" onClick={leave}>
          {words.logOut}
        </button>
      )}
    </header>
  )
}
