import { defineConfig } from '@playwright/test'
import { BROWSER_ARGS, installedBrowser } from './scripts/browser.ts'

/** Files whose tests wait longest, for devices, or take longest: they start first, so that no worker is left alone with one at the end. */
const LONG = ['calibration', 'demo', 'devices', 'saving', 'shell', 'exports', 'accessibility'].map(
  (name) => `**/${name}.spec.ts`,
)

export default defineConfig({
  testDir: 'tests/e2e',
  projects: [
    { name: 'long', testMatch: LONG },
    { name: 'short', testMatch: '**/*.spec.ts', testIgnore: LONG },
  ],
  outputDir: 'test-results',
  globalSetup: './tests/e2e/support/global-setup.ts',
  // Tests often wait, for a device or a starting gateway: run others meanwhile.
  workers: 3,
  fullyParallel: true,
  // The report names a test that passes only on the retry.
  retries: 1,
  // A busy machine must not fail a test.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: installedBrowser({ shell: true }) ?? '/usr/bin/chromium',
      args: BROWSER_ARGS,
    },
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Asia/Taipei',
    locale: 'zh-TW',
    // Recording costs as much as the test itself: record only the retry of a failed test.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    actionTimeout: 60_000,
    // A test cannot intercept fetches of a service worker; tests of the worker set 'allow'.
    serviceWorkers: 'block',
    // On a busy machine an animated dialog moves from under the pointer between press and release.
    contextOptions: { reducedMotion: 'reduce' },
  },
})
