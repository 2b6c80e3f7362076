/** Light or dark: as the system has it, or as the person chose, remembered. */
import { effect, type Signal, signal } from '@preact/signals'
import { createStoredValue } from '../model/browser/stored-value.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type ThemeName = (typeof THEMES)[number]

export interface PageTheme {
  readonly chosen: Signal<ThemeName>
}

export function createPageTheme(page: Pick<Window, 'document' | 'localStorage'>): PageTheme {
  const kept = createStoredValue(
    () => page.localStorage,
    'banksman.theme',
    (value) => THEMES.find((name) => name === value),
  )
  const chosen = signal<ThemeName>(kept.read() ?? 'system')
  effect(() => {
    page.document.documentElement.dataset.theme = chosen.value
    kept.write(chosen.value === 'system' ? undefined : chosen.value)
  })
  return { chosen }
}
