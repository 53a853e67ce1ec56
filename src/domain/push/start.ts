import { queryClient } from '../../data/api.ts'
import { goTo } from '../../data/navigator.ts'
import { personalQuery } from '../../data/personal.ts'
import { me } from '../../data/session.ts'
import { createSend } from '../../data/use-action.ts'
import { logFault } from '../../lib/log-fault.ts'
import { enable, isTurnedOff, isTurnedOnBy, pushSupport, setTurnedOnBy } from './browser.ts'

/**
 * Registers this browser again at each start if its user wants push messages, which repairs subscriptions that the gateway has lost; never
 * asks for the permission. Also handles clicks on notifications. Returns a function that stops this.
 */
export function startPush(): () => void {
  if (pushSupport() !== 'supported') return () => {}
  void registerAgain()
  const onMessage = ({ data, ports }: MessageEvent) => {
    const { type, path } = data as { type?: unknown; path?: unknown }
    if (type === 'subscriptionChanged') void registerAgain()
    if (type !== 'open' || typeof path !== 'string' || !/^\/(?!\/)/.test(path)) return
    goTo(path)
    ports[0]?.postMessage('done')
  }
  navigator.serviceWorker.addEventListener('message', onMessage)
  return () => navigator.serviceWorker.removeEventListener('message', onMessage)
}

/** Failures are only logged; the next start retries. */
export async function registerAgain(): Promise<void> {
  try {
    const { Notification: isEnabled } = await queryClient.fetchQuery(personalQuery)
    if (!isEnabled || isTurnedOff()) return
    if (Notification.permission === 'denied') return logFault('Push', 'the permission is denied')
    const person = me.get()?.CognitoId
    if (Notification.permission !== 'granted' || !person || !isTurnedOnBy(person)) return
    await enable(createSend())
    setTurnedOnBy(person)
  } catch (error) {
    logFault('Push', error)
  }
}
