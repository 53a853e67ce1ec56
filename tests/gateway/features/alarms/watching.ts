import { createStateAlarmUpdater } from '../../../../gateway/features/alarms/state/apply-signals.ts'
import { createRuleAlarms } from '../../../../gateway/features/alarms/rule-alarms.ts'
import { createAlarmWatch } from '../../../../gateway/features/alarms/watch/watch.ts'
import { createEvents, type GatewayEvents } from '../../../../gateway/kernel/events.ts'
import { systemRandom } from '../../../../gateway/kernel/ports.ts'
import { type Db, sql } from '../../../../gateway/kernel/db.ts'
import type { AlarmsWorld } from './alarms-world.ts'
import { createNoticesBook } from './notices-book.ts'

/** Monitors the alarms of a world as its gateway does, with a clock of its own, and records notices. */
export function startWatching({ world, root, HomeID, ThingName }: AlarmsWorld) {
  const book = createNoticesBook()
  const ports = { notify: book.notify, random: systemRandom }
  let at = world.clock.now()
  const clock = { ...world.clock, now: () => at }
  const events = createEvents((error) => {
    throw error
  })
  const moved: GatewayEvents['alarmChanged'][] = []
  events.on('alarmChanged', (one) => void moved.push(one))
  const watch = (db: Db = world.db) => createAlarmWatch({ db, clock, events }, ports)
  const job = watch()
  return {
    ...book,
    clock,
    moved,
    events,
    ports,
    updateStateAlarms: createStateAlarmUpdater(ports),
    rules: createRuleAlarms(ports, { clock, events }),
    /** Second gateway that monitors the same alarms. */
    another: watch,
    advance: (ms: number) => void (at += ms),
    /** Advances the clock by some ms and checks. */
    look: async (ms = 0) => {
      at += ms
      await job.run(() => false)
    },
    /** Sets the state of the device from its clock's timestamp on. */
    say: (uid: string, values: object, timestamp = at) =>
      world.db.query(sql`
        insert into device_status (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
        select tenant, peripheral_uid, home_id, peripheral_type, ${timestamp}::bigint, ${JSON.stringify(values)}::jsonb,
          ${at}::bigint from peripherals where tenant = ${root.tenant} and peripheral_uid = ${uid}
        on conflict (tenant, peripheral_uid) do update set values = device_status.values || excluded.values,
          timestamp = excluded.timestamp, updated_at = excluded.updated_at`),
    /** Stores the presence of the hub. */
    hub: async (online: boolean) => {
      await world.db.query(
        sql`update things set online = ${online}, seen_at = ${at}::bigint where thing_name = ${ThingName}`,
      )
      await world.db.query(
        online
          ? sql`update hub_absences set until = ${at}::bigint where thing_name = ${ThingName} and until is null`
          : sql`insert into hub_absences (tenant, thing_name, since) values (${root.tenant}, ${ThingName}, ${at}::bigint)`,
      )
    },
    /** Puts a device, the hub or the home into maintenance for an hour. */
    maintain: (scope: 'device' | 'hub' | 'home', subject: string) =>
      world.db.query(sql`
        insert into maintenances (maintenance_id, tenant, home_id, scope, subject, until, reason, started_by, started_at)
        values (${systemRandom.uuid()}, ${root.tenant}, ${HomeID}, ${scope}, ${subject}, ${at + 3_600_000}::bigint, 'x', 'y', ${at}::bigint)`),
    async reset() {
      await world.db.query(sql`delete from alarms`)
      await world.db.query(sql`delete from alarm_holds`)
      await world.db.query(sql`delete from maintenances`)
      await world.db.query(sql`delete from device_status`)
      await world.db.query(sql`delete from hub_absences`)
      await world.db.query(sql`update things set online = true`)
      await job.run(() => false)
      book.forget()
      moved.length = 0
    },
  }
}
export type Watching = ReturnType<typeof startWatching>
