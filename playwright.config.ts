import { defineConfig } from '@playwright/test'
import { BROWSER_ARGS, installedBrowser } from './scripts/browser.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './tests/e2e/support/global-setup.ts',
  // A journey often waits, for a device or for a gateway that starts: others go on meanwhile.
  workers: 3,
  fullyParallel: true,
  // A test that passes only the second time is named in the report.
  retries: 1,
  // A busy machine is slow, not wrong.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: installedBrowser({ shell: true }) ?? '/usr/bin/chromium',
      args: BROWSER_ARGS,
    },
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Asia/Taipei',
    locale: 'zh-TW',
    // Recording costs as much as the test itself: only what fell once is recorded.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    actionTimeout: 20_000,
    // What a worker fetches no test can hold back; those of the worker say 'allow'.
    serviceWorkers: 'block',
    // A dialog that grows on a busy machine moves from under the pointer between its press and its release.
    contextOptions: { reducedMotion: 'reduce' },
  },
})
