import { logFault } from '../lib/log-fault.ts'

/** Where the service worker is (`src/push-worker.ts` builds to it). */
export const WORKER = '/sw.js'

/**
 * Registers the service worker, or finds it registered: for push, and for the page that answers when the product cannot be
 * reached.
 *
 * returns  undefined where this browser or this address has no workers, or it could not be fetched
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
