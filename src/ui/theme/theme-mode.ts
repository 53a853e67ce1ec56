import { createStore, useStore } from '../../lib/store.ts'
import { THEME_KEY } from '../../lib/theme-key.ts'
import { paint, type Mode } from './theme.ts'

export const THEME_CHOICES = ['system', 'light', 'dark'] as const
/** The user's choice; `system` follows the device. */
export type ThemeChoice = (typeof THEME_CHOICES)[number]

const isChoice = (value: unknown): value is ThemeChoice => THEME_CHOICES.includes(value as ThemeChoice)
const stored = () => {
  const value = localStorage.getItem(THEME_KEY)
  return isChoice(value) ? value : 'system'
}

const choice = createStore<ThemeChoice>('system')
const mode = createStore<Mode>('light')
const onPaper = createStore(false)

/** Applies the stored choice and follows the device's setting. */
export function startTheme(): void {
  const device = matchMedia('(prefers-color-scheme: dark)')
  const update = () => {
    const effectiveMode = onPaper.get() ? 'light' : choice.get()
    mode.set(effectiveMode === 'system' ? (device.matches ? 'dark' : 'light') : effectiveMode)
    paint(mode.get())
  }
  onPaper.subscribe(update)
  choice.set(stored())
  choice.subscribe(update)
  device.addEventListener('change', update)
  update()
}

export function chooseTheme(next: ThemeChoice): void {
  localStorage.setItem(THEME_KEY, next)
  choice.set(next)
}

/** Forces light mode, as for printing, while `isForced`. */
export const forceLightDuring = (isForced: boolean): void => onPaper.set(isForced)

export const useThemeChoice = () => useStore(choice)
export const useThemeMode = () => useStore(mode)
