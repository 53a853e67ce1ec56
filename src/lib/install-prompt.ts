import { createStore } from './store.ts'

/** Chromium's `beforeinstallprompt` event, which TypeScript's DOM library lacks. */
export interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

/** Prompt to install the dashboard; undefined if the browser does not offer it, or after the installation. */
export const installPrompt = createStore<InstallPrompt | undefined>(undefined)

/** Stores the prompt, which the browser offers only once, soon after the page has loaded. */
export function captureInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => installPrompt.set(event as InstallPrompt))
  addEventListener('appinstalled', () => installPrompt.set(undefined))
}
