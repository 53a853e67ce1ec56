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
export interface WayDouble {
  way: NotificationTransport & CompanyTransport
  handed: Handed[]
  /** Browsers of a person, or channels of the company under ''. */
  targets: Map<string, string[]>
  /** Result of a delivery, for all messages sent from then on. */
  answer: (handed: Handed) => Promise<DeliveryOutcome>
}

function createWayDouble(): WayDouble {
  const double: WayDouble = {
    handed: [],
    targets: new Map(),
    answer: async () => ({ is: 'sent' }),
    way: {
      targetsOf: async (_tx, _tenant, people) =>
        people.flatMap((person) =>
          (double.targets.get(person) ?? []).map((target) => ({
            person,
            target,
            service: target.split('/')[0] as string,
          })),
        ),
      targetsFor: async () =>
        (double.targets.get('') ?? []).map((target) => ({ target, language: 'en-US' as const })),
      send: async (_tenant, target, message) => {
        const handed = { target, message }
        double.handed.push(handed)
        return double.answer(handed)
      },
    },
  }
  return double
}

/** Gateways on one database with only their notification part; push and channels are fakes. */
export function createToldGateways(db: Db, building: Building, clock: Clock) {
  const push = createWayDouble()
  const channels = createWayDouble()
  const mails: Parameters<Mail['send']>[0][] = []
  const mail = { goesOut: true, fails: false }
  let people = 0

  return {
    push,
    channels,
    mails,
    mail,

    /** Person of the company, with one browser by default. */
    async addPerson(
      given: {
        permissions?: Permission[]
        language?: string | null
        pushes?: boolean
        browsers?: string[]
        settings?: Partial<NotificationSettings>
      } = {},
    ): Promise<string> {
      const permissions = given.permissions ?? [{ FeatureKey: 'device', OperationList: ['Read'] }]
      people += 1
      const [row] = await db.query<{ id: string }>(sql`
        insert into users (tenant, cognito_id, email, permissions, created_at)
        values (${building.tenant}, gen_random_uuid(), ${`p${people}@${building.tenant}.example`},
          ${JSON.stringify(permissions)}, 0) returning cognito_id as id`)
      const id = row?.id as string
      await db.query(sql`
        insert into personal_configs (tenant, cognito_id, notification, notifications, custom_dashboard, decimal_precision, language)
        values (${building.tenant}, ${id}, ${given.pushes ?? true},
          ${JSON.stringify({ ...DEFAULT_NOTIFICATION_SETTINGS, ...given.settings })}, 'DEFAULT', 2, ${given.language ?? null})`)
      push.targets.set(id, given.browsers ?? [`service-${people}/browser`])
      return id
    },

    /**
     * Starts a gateway; its database fails from its `dies`-th statement on, and while `isAway` returns true. Tests trigger it themselves
     * unless it listens to the database as in production.
     */
    start({
      dies = Infinity,
      listens = false,
      isAway = () => false,
    }: { dies?: number; listens?: boolean; isAway?: () => boolean } = {}) {
      let statements = 0
      const guard = <T>(work: () => Promise<T>): Promise<T> => {
        statements += 1
        if (statements >= dies) return Promise.reject(new Error('The gateway is dead'))
        return isAway() ? Promise.reject(new Error('The database is away')) : work()
      }
      const guarded = (inner: Db): Db => ({
        ...inner,
        query: (query) => guard(() => inner.query(query)),
        transaction: (work) => guard(() => inner.transaction((tx) => work(guarded(tx)))),
        listen: (channel, listener) => {
          if (listens) db.listen(channel, listener)
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
          goesOut: true,
          send: async (sent: (typeof mails)[number]) => {
            if (mail.fails) throw new Error('The mail server is away')
            mails.push(sent)
          },
        },
      }
      const feature = notifications(deps, {
        push: push.way,
        channels: channels.way,
        acknowledgeToken: (_tenant, alarmId, cognitoId) => `token of ${cognitoId} for ${alarmId}`,
      })
      return {
        broker,
        deps,
        statements: () => statements,
        /** Processes everything that is due, until nothing is. */
        look: feature.lookNow,
        close: feature.close,
      }
    },

    /** Stores notices. */
    note: (...given: Partial<NotificationEvent>[]): Promise<void> =>
      db.transaction((tx) =>
        recordNotices(
          tx,
          given.map((one) => noticeOf(building.tenant, { at: clock.now(), ...one })),
        ),
      ),
  }
}
