import { onTestFinished, vi } from 'vitest'

/** Renders for the screen of a phone, 390 px wide, until the test ends. */
export function onPhone(): void {
  vi.stubGlobal('innerWidth', 390)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
}
