import type { SubscriptionInfo } from '../../../../contract/notifications/push-calls.ts'
import type { Deps } from '../../../../gateway/features/deps.ts'
import { createEvents } from '../../../../gateway/kernel/events.ts'
import { push } from '../../../../gateway/features/push/feature.ts'
import type {
  OutgoingMessage,
  NotificationEvent,
  NotificationTransport,
} from '../../../../gateway/domain/notifications/notification-transport.ts'
import type { Db } from '../../../../gateway/kernel/db.ts'
import { type PushService, startPushService } from '../../../support/push-service.ts'
import { API_KEY, type Caller, startWorld, type World, type WorldOptions } from '../../../support/world.ts'
import { SECRET } from '../../../support/user-pool.ts'

export interface PushWorld extends World {
  service: PushService
  /** Push transport as used by the notifications of this gateway. */
  way: NotificationTransport
  close(): Promise<void>
}

/** Gateway with one fake push service in place of those of browser vendors. */
export async function startPushWorld(options: WorldOptions = {}): Promise<PushWorld> {
  const service = await startPushService()
  const world = await startWorld({
    ...options,
    config: { pushHosts: service.host, pushSubject: 'mailto:push@example.com', ...options.config },
  })
  return {
    ...world,
    service,
    way: wayOf(world, { secret: SECRET }),
    async close() {
      await world.close()
      await service.close()
    },
  }
}

/** Transport of a further gateway on the same database. */
export function wayOf(
  world: World,
  { secret }: { secret: string },
  told: NotificationEvent[] = [],
): NotificationTransport {
  const { db, clock, log } = world
  const config = {
    secret,
    apiKey: API_KEY,
    pushSubject: 'mailto:push@example.com',
    publicUrl: 'https://b.example',
  }
  const deps = { db, clock, log, config, events: createEvents(() => {}), metrics: world.gateway.registry }
  const ports = {
    notify: async (_: Db, notices: readonly NotificationEvent[]) => void told.push(...notices),
    countRecipients: async () => 0,
  }
  return push(deps as unknown as Deps, ports).way
}

export const enable = (caller: Caller, SubscriptionInfo: SubscriptionInfo) =>
  caller.post('/WebPushSubscriptionSetting', { Status: 'ENABLE', SubscriptionInfo })
export const remove = (caller: Caller, SubscriptionInfo: SubscriptionInfo) =>
  caller.post('/WebPushSubscriptionSetting', { Status: 'REMOVE', SubscriptionInfo })

/** The only browser of a person, as a target. */
export async function targetOf({ way, db }: PushWorld, { tenant, cognitoId }: Caller): Promise<string> {
  const [found] = await way.readTargets(db, tenant, [cognitoId])
  if (!found) throw new Error('Nothing is pushed to this person')
  return found.target
}

/** Message of an alarm, with the test's changes. */
export const messageOf = (change: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  id: '00000000-0000-4000-8000-000000000001',
  notificationId: null,
  title: '東廠 1F 偵測到煙霧',
  body: '煙霧感測器回報火警，請立即查看。',
  path: '/Alarm/h1?tab=live&alarm=7b0e4d1c-0000-4000-8000-000000000001',
  topic: 'alarm:7b0e4d1c-0000-4000-8000-000000000001',
  category: 'alarm',
  severity: 'critical',
  homeId: 'h1',
  alarmId: '7b0e4d1c-0000-4000-8000-000000000001',
  acknowledgeToken: null,
  unread: null,
  language: 'zh-TW',
  at: Date.UTC(2026, 0, 5, 1),
  ...change,
})
