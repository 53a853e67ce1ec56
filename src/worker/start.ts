import { connection } from '../live/channel.ts'
import { logFault } from '../lib/log-fault.ts'
import { recacheOfflinePage, markReachable } from './offline.ts'
import { registerWorker } from './register.ts'

/** Interval at which an open page records that the product is reachable, in ms: the inaccuracy of the offline page. */
const RECORD_INTERVAL_MS = 60_000

const fault = (error: unknown) => logFault('The offline page', error)

/**
 * Registers the service worker, and records the times of contact with the product.
 *
 * returns  a function that stops recording
 */
export function startWorker(): () => void {
  const mayKeep = 'caches' in globalThis
  void registerWorker().then((registration) => {
    if (registration && mayKeep) recacheOfflinePage().catch(fault)
  })
  if (!mayKeep) return () => {}
  const note = () => void markReachable().catch(fault)
  let connected = false
  const update = () => {
    const now = connection.state.get() === 'connected'
    // On connecting and on disconnecting: the time of a disconnection is that of the last contact.
    if (now !== connected) note()
    connected = now
  }
  const timer = setInterval(() => connected && note(), RECORD_INTERVAL_MS)
  const stop = connection.state.subscribe(update)
  update()
  return () => {
    clearInterval(timer)
    stop()
  }
}
