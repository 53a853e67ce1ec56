import { logFault } from '../lib/log-fault.ts'
import { listenToHost, nativeHost } from './host.ts'

/** Maximum number of messages queued until the bridge's code is loaded. */
const MAX_EARLY = 100

/**
 * Listens to the application around the web view, if any, from the start of the page: it may sign a user in. Messages are queued until the
 * bridge's code is loaded. Returns a function that stops this.
 */
export function startNativeBridge(): () => void {
  const host = nativeHost()
  if (!host) return () => {}
  const earlyMessages: MessageEvent[] = []
  let receive = (event: MessageEvent): void => {
    if (earlyMessages.length < MAX_EARLY) earlyMessages.push(event)
  }
  let end = listenToHost((event) => receive(event))
  import('./bridge.ts').then(
    ({ startBridge: openBridge }) => {
      const bridge = openBridge(host)
      receive = (event) => void bridge.receive(event)
      for (const event of earlyMessages.splice(0)) receive(event)
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
