import type { ComponentChildren } from 'preact'
import { useLanguage, useWords } from '../context/context.ts'
import { Logo } from './icons.tsx'

/** The name, the way to the other pages, and the other language. */
export function TopBar({ children }: { children?: ComponentChildren }) {
  const { language } = useLanguage()
  const words = useWords()
  const other = language.value === 'en' ? 'zh' : 'en'
  return (
    <header class="top-bar">
      <Logo />
      <h1>Banksman</h1>
      {children}
      <button type="button" class="quiet" lang={other} onClick={() => (language.value = other)}>
        {words.otherLanguage}
      </button>
    </header>
  )
}
