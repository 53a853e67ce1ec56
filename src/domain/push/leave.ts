import { call } from '../../data/api.ts'
import { logFault } from '../../lib/log-fault.ts'
import type { Send } from '../../data/use-action.ts'
import { disable } from './browser.ts'

/** How long the gateway has to forget a browser, ms. */
const UNSUBSCRIBE_TIMEOUT_MS = 2_000

/**
 * Whoever signs out is told nothing more in this browser: it is forgotten, its subscription ends, and what is shown is closed. The
 * gateway may already refuse whoever must leave; then its push service tells it that the browser is gone.
 */
export async function unsubscribePush(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  if (!registration) return
  await disable(soon).catch((error: unknown) => logFault('Push', error))
  for (const shown of await registration.getNotifications()) shown.close()
}

const soon: Send = (endpoint, input) =>
  Promise.race([
    call(endpoint, input),
    new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error('No answer')), UNSUBSCRIBE_TIMEOUT_MS),
    ),
  ])
