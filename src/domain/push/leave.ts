import { call } from '../../data/api.ts'
import { logFault } from '../../lib/log-fault.ts'
import type { Send } from '../../data/use-action.ts'
import { disable } from './browser.ts'

/** Timeout of the unsubscribe request, ms. */
const UNSUBSCRIBE_TIMEOUT_MS = 2_000

/**
 * Stops push messages when a user signs out: removes and ends the subscription and closes shown notifications. If the gateway rejects the
 * request because the session has ended, it learns from the push service that the subscription has ended.
 */
export async function unsubscribePush(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  if (!registration) return
  await disable(sendKeptAlive).catch((error: unknown) => logFault('Push', error))
  for (const notification of await registration.getNotifications()) notification.close()
}

const sendKeptAlive: Send = (endpoint, input) =>
  Promise.race([
    call(endpoint, input),
    new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error('No answer')), UNSUBSCRIBE_TIMEOUT_MS),
    ),
  ])
