import type { CDPSession } from '@playwright/test'
import { openBrowser, openPage, type Session } from './browser.ts'

/** A usable page: its load time, and the data transferred by then. */
export interface PageLoad {
  ms: number
  /** Bytes of JavaScript as transferred, headers included. */
  scriptBytes: number
  requests: number
}

/**
 * Opens an address in a new browser on the slow profile and waits until `usable` (a selector) is visible.
 *
 * ms  from the start of the navigation, on the page's own clock
 */
export async function loadSlowly(url: string, usable: string, session?: Session): Promise<PageLoad> {
  const browser = await openBrowser()
  const { page, devtools } = await openPage(browser, { session, slow: true })
  const wire = watchWire(devtools)
  await page.addInitScript(noteWhenSeen, usable)
  await page.goto(url, { waitUntil: 'commit' })
  const seen = await page.waitForFunction(() => (globalThis as Noted).seenAt)
  // Transfers during the query are included, so that no byte is missed.
  const load = { ms: (await seen.jsonValue()) as number, ...wire() }
  await browser.close()
  return load
}

type Noted = typeof globalThis & { seenAt?: number }

/**
 * Runs in the page: records the first frame in which the element is visible. A query from outside would take as long as the page's
 * next task, which a page of React alone does not have.
 */
function noteWhenSeen(selector: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(selector)?.getClientRects().length) return
    observer.disconnect()
    requestAnimationFrame(() => ((globalThis as Noted).seenAt = performance.now()))
  })
  observer.observe(document, { childList: true, subtree: true, attributeFilter: ['aria-busy'] })
}

/** Counts transferred data from now on. */
function watchWire(devtools: CDPSession): () => { scriptBytes: number; requests: number } {
  const seen = new Map<string, { script: boolean; bytes: number }>()
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    const script = response.mimeType.includes('javascript')
    seen.set(requestId, { script, bytes: response.encodedDataLength })
  })
  devtools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const one = seen.get(requestId)
    if (one) one.bytes += encodedDataLength
  })
  return () => {
    const all = [...seen.values()]
    return {
      scriptBytes: all.reduce((sum, { script, bytes }) => sum + (script ? bytes : 0), 0),
      requests: all.length,
    }
  }
}
