import { createStore } from './store.ts'

/** Chromium's event that a page can be installed; no DOM library names it. */
export interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

/** How to ask whether to install the dashboard; undefined where the browser does not offer that, or it is done. */
export const installPrompt = createStore<InstallPrompt | undefined>(undefined)

/** The browser offers it once, soon after the page began: from then on it is kept. */
export function captureInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => installPrompt.set(event as InstallPrompt))
  addEventListener('appinstalled', () => installPrompt.set(undefined))
}
