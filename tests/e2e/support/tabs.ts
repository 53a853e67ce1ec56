import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import type { Product } from './product.ts'

/** Page in a browser context of its own. */
export interface Tab {
  page: Page
}

/** Address of the product without scripts, at which its storage can be filled and cleared. */
const BLANK_PAGE = '/favicon.svg'

/** Released tabs, by product and options. */
const idleTabs = new Map<string, Tab[]>()

const keyOf = ({ url }: Product, options: BrowserContextOptions) => JSON.stringify([url, options])

/** Opens a new tab. */
export async function newTab(browser: Browser, options: BrowserContextOptions): Promise<Tab> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await followChannel(page)
  return { page }
}

/**
 * Returns a released tab, or a new one. In a released tab the browser has already compiled the application, which is half of the work of
 * opening it.
 */
export async function takeTab(
  browser: Browser,
  product: Product,
  options: BrowserContextOptions,
): Promise<Tab> {
  return idleTabs.get(keyOf(product, options))?.pop() ?? newTab(browser, options)
}

/** Releases a tab for reuse with the same options; one with further pages, or a closed one, is closed. */
export async function leaveTab(tab: Tab, product: Product, options: BrowserContextOptions): Promise<void> {
  const { page } = tab
  if (page.isClosed() || page.context().pages().length > 1) return page.context().close()
  await fillTab(tab, product, {})
  await page.emulateMedia({ media: null, colorScheme: options.colorScheme ?? 'light' })
  const key = keyOf(product, options)
  idleTabs.set(key, [...(idleTabs.get(key) ?? []), tab])
}

/** Goes to a page without a script; afterwards the product's storage contains only these entries. */
export async function fillTab(
  { page }: Tab,
  product: Product,
  entries: Record<string, string>,
): Promise<void> {
  await page.goto(new URL(BLANK_PAGE, product.url).href)
  await page.context().clearCookies()
  await page.evaluate(async (all) => {
    localStorage.clear()
    sessionStorage.clear()
    for (const name of await caches.keys()) await caches.delete(name)
    for (const [key, value] of Object.entries(all)) localStorage.setItem(key, value)
  }, entries)
}

type WithChannel = typeof window & { isLive?: boolean }

/** Makes a page record whether its live channel is connected and its topics subscribed. Call before the page is opened. */
async function followChannel(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const self = window as WithChannel
    self.Worker = class extends Worker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args)
        this.addEventListener('message', ({ data }: MessageEvent<{ type?: string; state?: string }>) => {
          if (data.type === 'ready') self.isLive = true
          else if (data.type === 'state' && data.state !== 'connected') self.isLive = false
        })
      }
    }
  })
}

/** Whether the live channel of the open page is connected and its topics subscribed. */
export const isLive = (page: Page): Promise<boolean> =>
  page.evaluate(() => (window as WithChannel).isLive === true)
