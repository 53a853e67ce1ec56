import { logFault } from '../lib/log-fault.ts'
import { listenToHost, nativeHost } from './host.ts'

/** Messages that wait for the bridge's code. */
const MAX_EARLY = 100

/**
 * Listens to the application around the web view, when there is one, from the start of the page: it may sign somebody in.
 * What it says before the bridge's code is here waits for that. Returns how to stop.
 */
export function startNativeBridge(): () => void {
  const host = nativeHost()
  if (!host) return () => {}
  const early: MessageEvent[] = []
  let receive = (event: MessageEvent): void => {
    if (early.length < MAX_EARLY) early.push(event)
  }
  let end = listenToHost((event) => receive(event))
  import('./bridge.ts').then(
    ({ startBridge: openBridge }) => {
      const bridge = openBridge(host)
      receive = (event) => void bridge.receive(event)
      for (const event of early.splice(0)) receive(event)
      const stopListening = end
      end = () => {
        stopListening()
        bridge.close()
      }
    },
    (error: unknown) => logFault('The native bridge', error),
  )
  return () => end()
}
