import { formatWhen } from '../../contract/time/format-time.ts'
import { OFFLINE_CACHE } from '../lib/offline-cache.ts'

/** Page shown for failed navigations. */
export const OFFLINE_PAGE = '/offline.html'
/** Cache key of the time of the last contact, epoch ms. */
const REACHED_KEY = '/offline-reached'
/** Placeholder in the page for the time since when it is offline. */
const SINCE_MARKER = /<!--since-->.*?<!--\/since-->/gs

/** Required part of a service worker's global scope. */
export interface WorkerScope {
  addEventListener(type: string, listen: (event: never) => void): void
  registration: { navigationPreload?: { enable(): Promise<void> } }
}
interface Extendable {
  waitUntil(work: Promise<unknown>): void
}
interface Fetch extends Extendable {
  request: Request
  preloadResponse?: Promise<Response | undefined>
  respondWith(response: Promise<Response>): void
}

/** Records that the product is reachable; the page does so too, since it stays open after navigation. */
export async function markReachable(at = Date.now()): Promise<void> {
  const cache = await caches.open(OFFLINE_CACHE)
  await cache.put(REACHED_KEY, new Response(String(at)))
}

/**
 * Responds to failed navigations with a static page that shows since when. Other requests are not handled, and nothing of the product
 * is cached.
 */
export function respondOffline(worker: WorkerScope): void {
  worker.addEventListener('install', (event: Extendable) => {
    event.waitUntil(keepPage())
  })
  worker.addEventListener('activate', (event: Extendable) => {
    // The browser requests the page while the worker is starting.
    event.waitUntil(worker.registration.navigationPreload?.enable() ?? Promise.resolve())
  })
  worker.addEventListener('fetch', (event: Fetch) => {
    if (event.request.mode === 'navigate') event.respondWith(navigate(event))
  })
}

/** Fetches the offline page, replacing an earlier version. */
async function keepPage(): Promise<void> {
  const cache = await caches.open(OFFLINE_CACHE)
  await cache.add(new Request(OFFLINE_PAGE, { cache: 'reload' }))
  await markReachable()
}

/** Caches the offline page if it is missing, e.g. after the user has cleared the browser's data. */
export async function recacheOfflinePage(): Promise<void> {
  const cache = await caches.open(OFFLINE_CACHE)
  if (!(await cache.match(OFFLINE_PAGE))) await keepPage()
}

async function navigate(event: Fetch): Promise<Response> {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request))
    event.waitUntil(markReachable().catch(() => {}))
    return response
  } catch (error) {
    const page = await offlinePage().catch(() => undefined)
    if (!page) throw error
    return page
  }
}

async function offlinePage(): Promise<Response | undefined> {
  const cache = await caches.open(OFFLINE_CACHE)
  const cachedPage = await cache.match(OFFLINE_PAGE)
  if (!cachedPage) return undefined
  const reachedResponse = await cache.match(REACHED_KEY)
  const at = new Date(Number(await reachedResponse?.text()))
  const html = await cachedPage.text()
  return new Response(Number.isFinite(at.getTime()) && reachedResponse ? withSince(html, at) : html, {
    headers: cachedPage.headers,
  })
}

/** The page with the time inserted, in the language of each place and this device's time zone. */
function withSince(html: string, at: Date): string {
  const languages = ['zh-TW', 'en-US']
  let place = 0
  return html.replace(SINCE_MARKER, () => {
    const language = languages[place++ % languages.length]
    const words = formatWhen(at.getTime(), language ?? 'zh-TW', undefined)
    return `<time datetime="${at.toISOString()}">${words}</time>`
  })
}
