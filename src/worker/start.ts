import { connection } from '../live/live.ts'
import { logFault } from '../lib/log-fault.ts'
import { recacheOfflinePage, markReachable } from './offline.ts'
import { registerWorker } from './register.ts'

/** How often an open page notes that the product is reached, in ms: what the offline page says may be off by as much. */
const NOTE_EVERY_MS = 60_000

const fault = (error: unknown) => logFault('The offline page', error)

/**
 * Registers the service worker, and notes from then on until when the product was reached.
 *
 * returns  how to stop noting
 */
export function startWorker(): () => void {
  const mayKeep = 'caches' in globalThis
  void registerWorker().then((registration) => {
    if (registration && mayKeep) recacheOfflinePage().catch(fault)
  })
  if (!mayKeep) return () => {}
  const note = () => void markReachable().catch(fault)
  let connected = false
  const look = () => {
    const now = connection.state.get() === 'connected'
    // At both ends: the moment that a connection is lost is the last one that it stood.
    if (now !== connected) note()
    connected = now
  }
  const timer = setInterval(() => connected && note(), NOTE_EVERY_MS)
  const stop = connection.state.subscribe(look)
  look()
  return () => {
    clearInterval(timer)
    stop()
  }
}
