import { type Browser, type BrowserContext, chromium, type CDPSession, type Page } from '@playwright/test'
import { BROWSER_ARGS, findBrowser } from '../../scripts/browser.ts'
import { atEnd } from './clean-up.ts'
import { OWNER } from './company.ts'

/** Storage of a signed-in browser. */
export type Session = Awaited<ReturnType<BrowserContext['storageState']>>

const TIMEOUT_MS = 120_000
const VIEWPORT = { width: 1440, height: 900 }

/** A phone on a slow connection: CPU four times slower, 1.6 Mbit/s down, 750 kbit/s up, 150 ms. */
const SLOW = { cpu: 4, latency: 150, down: (1.6 * 1024 * 1024) / 8, up: (750 * 1024) / 8 }

/** A browser with empty caches. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('There is no browser to measure with')
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...BROWSER_ARGS,
      // Keeps a headless page from being throttled as a background page.
      '--disable-background-timer-throttling',
      '--disable-renderer-backgrounding',
      '--disable-backgrounding-occluded-windows',
    ],
  })
  atEnd(() => browser.close())
  return browser
}

/** A new page with the storage of `session` and an empty cache. gzip only, so that sizes are those of gzip. */
export async function openPage(
  browser: Browser,
  { session, slow = false }: { session?: Session | undefined; slow?: boolean } = {},
): Promise<{ page: Page; devtools: CDPSession }> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    locale: 'zh-TW',
    timezoneId: 'Asia/Taipei',
    extraHTTPHeaders: { 'accept-encoding': 'gzip' },
    ...(session && { storageState: session }),
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  const page = await context.newPage()
  // tsx wraps functions with a helper, including those that run in the page.
  await page.addInitScript('globalThis.__name ??= (value) => value')
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  if (slow) {
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: SLOW.latency,
      downloadThroughput: SLOW.down,
      uploadThroughput: SLOW.up,
    })
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOW.cpu })
  }
  return { page, devtools }
}

/** Signs in the owner of the measured company through the sign-in page; returns the browser's storage. */
export async function signIn(browser: Browser, url: string): Promise<Session> {
  const { page } = await openPage(browser)
  await signInOn(page, url)
  const session = await page.context().storageState()
  await page.context().close()
  return session
}

export async function signInOn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('input[type=email]').fill(OWNER.Email)
  await page.locator('input[type=password]').fill(OWNER.Password)
  await page.locator('button[type=submit]').click()
  await page.locator('input[type=password]').waitFor({ state: 'detached' })
  await page.locator('main h1').waitFor()
}
