import type { Browser, BrowserContextOptions, Page, WebSocket } from '@playwright/test'
import type { Product } from './product.ts'

/** Page in a browser context of its own. */
export interface Tab {
  page: Page
  /** State of the live channel of the open page. */
  channel: { stands: () => boolean; forget: () => void }
}

/** Address of the product without scripts, at which its storage can be filled and cleared. */
const WITHOUT_SCRIPT = '/favicon.svg'

/** Released tabs, by product and options. */
const left = new Map<string, Tab[]>()

const keyOf = ({ url }: Product, options: BrowserContextOptions) => JSON.stringify([url, options])

/** Opens a new tab. */
export async function newTab(browser: Browser, options: BrowserContextOptions): Promise<Tab> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  return { page, channel: followChannel(page) }
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
  return left.get(keyOf(product, options))?.pop() ?? newTab(browser, options)
}

/** Releases a tab for reuse with the same options; one with further pages, or a closed one, is closed. */
export async function leaveTab(tab: Tab, product: Product, options: BrowserContextOptions): Promise<void> {
  const { page } = tab
  if (page.isClosed() || page.context().pages().length > 1) return page.context().close()
  await fillTab(tab, product, {})
  await page.emulateMedia({ media: null, colorScheme: options.colorScheme ?? 'light' })
  const key = keyOf(product, options)
  left.set(key, [...(left.get(key) ?? []), tab])
}

/** Goes to a page without a script; afterwards the product's storage contains only these entries. */
export async function fillTab(
  { page, channel }: Tab,
  product: Product,
  entries: Record<string, string>,
): Promise<void> {
  channel.forget()
  await page.goto(new URL(WITHOUT_SCRIPT, product.url).href)
  await page.context().clearCookies()
  await page.evaluate(async (all) => {
    localStorage.clear()
    sessionStorage.clear()
    for (const name of await caches.keys()) await caches.delete(name)
    for (const [key, value] of Object.entries(all)) localStorage.setItem(key, value)
  }, entries)
}

/** MQTT packet type SUBACK, in the upper half of a packet's first byte. */
const SUBACK = 9

/** Tracks whether the page's live channel is connected and its topics subscribed. */
function followChannel(page: Page): Tab['channel'] {
  const standing = new Set<WebSocket>()
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload !== 'string' && (payload[0] ?? 0) >> 4 === SUBACK) standing.add(socket)
    })
    socket.on('close', () => standing.delete(socket))
  })
  return { stands: () => standing.size > 0, forget: () => standing.clear() }
}
