import { logFault } from '../lib/log-fault.ts'

/** Path of the service worker (built from `src/push-worker.ts`). */
export const WORKER = '/sw.js'

/**
 * Registers the service worker if necessary: for push, and for the page shown while the product is unreachable.
 *
 * returns  undefined if the browser or the address does not support workers, or the script could not be fetched
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator) || !isSecureContext) return undefined
  try {
    return await navigator.serviceWorker.register(WORKER, { scope: '/' })
  } catch (error) {
    logFault('The service worker', error)
    return undefined
  }
}
