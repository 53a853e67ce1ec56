import { personal } from '../../contract/people/personal-calls.ts'
import { push } from '../../contract/notifications/push-calls.ts'
import { type PushBrowser, startPushService } from '../../tests/support/push-service.ts'
import { atEnd } from './clean-up.ts'
import type { Owner } from './company.ts'

/** A push service that replaces those of browser vendors, with the configuration that a gateway needs for it. */
export async function startStandIn() {
  const service = await startPushService()
  atEnd(() => service.close())
  return { service, env: { PUSH_HOSTS: service.host, PUSH_SUBJECT: 'mailto:bench@example.com' } }
}

/** Subscribes a number of browsers to push notifications of the owner. */
export async function listen(
  { call }: Owner,
  { service }: Pick<Awaited<ReturnType<typeof startStandIn>>, 'service'>,
  browsers: number,
): Promise<PushBrowser[]> {
  await call(personal.updatePersonalConfig, { Notification: true })
  const subscribed = Array.from({ length: browsers }, () => service.subscribe())
  for (const { info } of subscribed)
    await call(push.webPushSubscriptionSetting, { Status: 'ENABLE', SubscriptionInfo: info })
  return subscribed
}
