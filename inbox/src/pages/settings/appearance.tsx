import type { Locale } from '../../../../src/display/words/rendering-words.ts'
import { useLanguage, useOwnWords, useTheme } from '../../context/context.ts'
import { THEMES } from '../../context/theme.ts'
import { SETTINGS_WORDS } from './words.ts'

/** Each in its own language. */
const LANGUAGES: readonly (readonly [Locale, string])[] = [
  ['en', 'English'],
  ['zh', '中文'],
]

/** Language and theme, for this browser. */
export function Appearance() {
  const { language } = useLanguage()
  const { chosen } = useTheme()
  const words = useOwnWords(SETTINGS_WORDS)
  return (
    <>
      <section>
        <h3 id="language-title">{words.language}</h3>
        <div class="setting-choices" role="radiogroup" aria-labelledby="language-title">
          {LANGUAGES.map(([name, text]) => (
            <label key={name} class="choice" lang={name}>
              <input
                type="radio"
                name="language"
                checked={language.value === name}
                onChange={() => (language.value = name)}
              />
              <span>{text}</span>
            </label>
          ))}
        </div>
      </section>
      <section>
        <h3 id="theme-title">{words.theme.title}</h3>
        <div class="setting-choices" role="radiogroup" aria-labelledby="theme-title">
          {THEMES.map((name) => (
            <label key={name} class="choice">
              <input
                type="radio"
                name="theme"
                checked={chosen.value === name}
                onChange={() => (chosen.value = name)}
              />
              <span>{words.theme.names[name]}</span>
            </label>
          ))}
        </div>
      </section>
    </>
  )
}
