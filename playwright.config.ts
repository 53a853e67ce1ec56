import { defineConfig } from '@playwright/test'
import { BROWSER_ARGS } from './scripts/browser.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './tests/e2e/support/build.ts',
  // Two cores: one browser at a time is faster than two that wait for each other.
  workers: 1,
  // A test that passes only the second time is named in the report.
  retries: 1,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: BROWSER_ARGS,
    },
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Asia/Taipei',
    locale: 'zh-TW',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    actionTimeout: 15_000,
    // A dialog that grows on a busy machine moves from under the pointer between its press and its release.
    contextOptions: { reducedMotion: 'reduce' },
  },
})
