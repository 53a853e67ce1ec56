import { connection } from '../live/live.ts'
import { logFault } from '../lib/log-fault.ts'
import { noteReached } from './offline.ts'
import { registerWorker } from './register.ts'

/** How often an open page notes that the product is reached, in ms: what the offline page says may be off by as much. */
const NOTE_EVERY_MS = 60_000

/**
 * Registers the service worker, and notes from then on until when the product was reached.
 *
 * returns  how to stop noting
 */
export function startWorker(): () => void {
  void registerWorker()
  if (!('caches' in globalThis)) return () => {}
  const note = () =>
    void noteReached().catch((error: unknown) => logFault('The time of the last contact', error))
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
