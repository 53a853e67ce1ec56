import { formatWhen } from '../lib/format-when.ts'
import { OFFLINE_CACHE } from './offline-cache.ts'

/** The page that answers failed navigations. */
export const OFFLINE_PAGE = '/offline.html'
/** Where the cache keeps when the product was last reached, epoch ms. */
const REACHED = '/offline-reached'
/** What stands in the page until it is known since when it is offline. */
const SINCE = /<!--since-->.*?<!--\/since-->/gs

/** What a service worker has of its global scope that this needs. */
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

/** Notes that the product was reached just now; the page does so as well, which is open longer than it loads. */
export async function markReachable(at = Date.now()): Promise<void> {
  const cache = await caches.open(OFFLINE_CACHE)
  await cache.put(REACHED, new Response(String(at)))
}

/**
 * Answers navigations that fail with one static page that says since when. Every other request is left alone, and nothing
 * of the product is kept.
 */
export function respondOffline(worker: WorkerScope): void {
  worker.addEventListener('install', (event: Extendable) => {
    event.waitUntil(keepPage())
  })
  worker.addEventListener('activate', (event: Extendable) => {
    // The browser asks for the page while the worker still starts.
    event.waitUntil(worker.registration.navigationPreload?.enable() ?? Promise.resolve())
  })
  worker.addEventListener('fetch', (event: Fetch) => {
    if (event.request.mode === 'navigate') event.respondWith(navigate(event))
  })
}

/** Fetches the offline page, in place of that of an earlier version. */
async function keepPage(): Promise<void> {
  const cache = await caches.open(OFFLINE_CACHE)
  await cache.add(new Request(OFFLINE_PAGE, { cache: 'reload' }))
  await markReachable()
}

/** Keeps the offline page where it is gone, e.g. because the person cleared what the browser keeps. */
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
  const kept = await cache.match(OFFLINE_PAGE)
  if (!kept) return undefined
  const reached = await cache.match(REACHED)
  const at = new Date(Number(await reached?.text()))
  const html = await kept.text()
  return new Response(Number.isFinite(at.getTime()) && reached ? withSince(html, at) : html, {
    headers: kept.headers,
  })
}

/** The page with a moment in its sentences, by the language around each and the clock of this device. */
function withSince(html: string, at: Date): string {
  const languages = ['zh-TW', 'en-US']
  let place = 0
  return html.replace(SINCE, () => {
    const language = languages[place++ % languages.length]
    const words = formatWhen(at.getTime(), language ?? 'zh-TW', undefined)
    return `<time datetime="${at.toISOString()}">${words}</time>`
  })
}
