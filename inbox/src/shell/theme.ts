/** Light or dark: as the system has it, or as the person chose, remembered. */
import { effect, type Signal, signal } from '@preact/signals'
import { createKept } from '../model/kept.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type ThemeName = (typeof THEMES)[number]

export interface Theme {
  readonly chosen: Signal<ThemeName>
}

export function createTheme(page: Pick<Window, 'document' | 'localStorage'>): Theme {
  const kept = createKept(
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
