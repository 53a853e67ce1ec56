import type { CDPSession } from '@playwright/test'
import { openBrowser, openPage, type Session } from './browser.ts'

/** A page that can be used: how long it took, and what had come over the wire by then. */
export interface PageLoad {
  ms: number
  /** Bytes of JavaScript as transferred, headers included. */
  scriptBytes: number
  requests: number
}

/**
 * Opens an address in a new browser on the slow profile and waits until `usable` (a selector) can be seen.
 *
 * ms  from the start of the navigation, on the page's own clock
 */
export async function loadSlowly(url: string, usable: string, session?: Session): Promise<PageLoad> {
  const browser = await openBrowser()
  const { page, devtools } = await openPage(browser, { session, slow: true })
  const wire = watchWire(devtools)
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator(usable).first().waitFor()
  const ms = await page.evaluate(() => performance.now())
  const load = { ms, ...wire() }
  await browser.close()
  return load
}

/** Counts what comes over the wire from now on. */
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
