import { Registry } from 'prom-client'
import type { Permission } from '../../contract/kernel/permissions.ts'
import {
  DEFAULT_NOTIFICATION_SETTINGS,
  type NotificationSettings,
} from '../../contract/notifications/settings.ts'
import { notifications } from '../../gateway/features/notifications/feature.ts'
import { recordNotices } from '../../gateway/features/notifications/feature.ts'
import type {
  CompanyTransport,
  OutgoingMessage,
  NotificationEvent,
  DeliveryOutcome,
  NotificationTransport,
} from '../../gateway/domain/notifications/notification-transport.ts'
import type { Clock, Mail } from '../../gateway/kernel/ports.ts'
import { type Db, sql } from '../../gateway/kernel/db.ts'
import type { Building } from './building.ts'
import { FakeBroker } from './fake-broker.ts'
import { createIdleDeps } from './idle-deps.ts'
import { noticeOf } from './notice.ts'

/** Message passed to a fake transport, oldest first. */
export interface Handed {
  target: string
  message: OutgoingMessage
}

/** Fake transport: it sends nothing and returns the result set by a test. */
export interface FakeTransport {
  transport: NotificationTransport & CompanyTransport
  deliveries: Handed[]
  /** Browsers of a person, or channels of the company under ''. */
  targets: Map<string, string[]>
  /** Result of a delivery, for all messages sent from then on. */
  resultOf: (delivery: Handed) => Promise<DeliveryOutcome>
}

function createFakeTransport(): FakeTransport {
  const double: FakeTransport = {
    deliveries: [],
    targets: new Map(),
    resultOf: async () => ({ status: 'sent' }),
    transport: {
      readTargets: async (_tx, _tenant, people) =>
        people.flatMap((person) =>
          (double.targets.get(person) ?? []).map((target) => ({
            person,
            target,
            service: target.split('/')[0] as string,
          })),
        ),
      readSubscribedTargets: async () =>
        (double.targets.get('') ?? []).map((target) => ({ target, language: 'en-US' as const })),
      send: async (_tenant, target, message) => {
        const delivery = { target, message }
        double.deliveries.push(delivery)
        return double.resultOf(delivery)
      },
    },
  }
  return double
}

/** Gateways on one database with only their notification part; push and channels are fakes. */
export function createNotifyingGateways(db: Db, building: Building, clock: Clock) {
  const push = createFakeTransport()
  const channels = createFakeTransport()
  const mails: Parameters<Mail['send']>[0][] = []
  const mail = { isDelivered: true, fails: false }
  let people = 0

  return {
    push,
    channels,
    mails,
    mail,

    /** Person of the company, with one browser by default. */
    async addPerson(
      options: {
        permissions?: Permission[]
        language?: string | null
        pushes?: boolean
        browsers?: string[]
        settings?: Partial<NotificationSettings>
      } = {},
    ): Promise<string> {
      const permissions = options.permissions ?? [{ FeatureKey: 'device', OperationList: ['Read'] }]
      people += 1
      const [row] = await db.query<{ id: string }>(sql`
        insert into users (tenant, cognito_id, email, permissions, created_at)
        values (${building.tenant}, gen_random_uuid(), ${`p${people}@${building.tenant}.example`},
          ${JSON.stringify(permissions)}, 0) returning cognito_id as id`)
      const id = row?.id as string
      await db.query(sql`
        insert into personal_configs (tenant, cognito_id, notification, notifications, custom_dashboard, decimal_precision, language)
        values (${building.tenant}, ${id}, ${options.pushes ?? true},
          ${JSON.stringify({ ...DEFAULT_NOTIFICATION_SETTINGS, ...options.settings })}, 'DEFAULT', 2, ${options.language ?? null})`)
      push.targets.set(id, options.browsers ?? [`service-${people}/browser`])
      return id
    },

    /**
     * Starts a gateway; its database fails from its `failsAfter`-th statement on, and while `isUnavailable` returns true. Tests trigger it themselves
     * unless it listens to the database as in production.
     */
    start({
      failsAfter = Infinity,
      isListening = false,
      isUnavailable = () => false,
    }: { failsAfter?: number; isListening?: boolean; isUnavailable?: () => boolean } = {}) {
      let statements = 0
      const guard = <T>(work: () => Promise<T>): Promise<T> => {
        statements += 1
        if (statements >= failsAfter) return Promise.reject(new Error('The gateway is dead'))
        return isUnavailable() ? Promise.reject(new Error('The database is away')) : work()
      }
      const guarded = (inner: Db): Db => ({
        ...inner,
        query: (query) => guard(() => inner.query(query)),
        transaction: (work) => guard(() => inner.transaction((tx) => work(guarded(tx)))),
        listen: (channel, listener) => {
          if (isListening) db.listen(channel, listener)
        },
      })
      const broker = new FakeBroker()
      const deps = {
        ...createIdleDeps(),
        db: guarded(db),
        clock,
        broker,
        metrics: new Registry(),
        mail: {
          isDelivered: true,
          send: async (message: (typeof mails)[number]) => {
            if (mail.fails) throw new Error('The mail server is away')
            mails.push(message)
          },
        },
      }
      const feature = notifications(deps, {
        push: push.transport,
        channels: channels.transport,
        acknowledgeToken: (_tenant, alarmId, cognitoId) => `token of ${cognitoId} for ${alarmId}`,
      })
      return {
        broker,
        deps,
        statements: () => statements,
        /** Processes everything that is due, until nothing is. */
        look: feature.fanOutNow,
        close: feature.close,
      }
    },

    /** Stores notices. */
    note: (...options: Partial<NotificationEvent>[]): Promise<void> =>
      db.transaction((tx) =>
        recordNotices(
          tx,
          options.map((option) => noticeOf(building.tenant, { at: clock.now(), ...option })),
        ),
      ),
  }
}
