import type { Events } from '../../../kernel/events.ts'
import type { Clock, Log } from '../../../kernel/ports.ts'
import { type Db, sql } from '../../../store/db.ts'

/** Of one home there is at most one event in this time, ms: a broken hub may have a reading quarantined every second. */
const EVENT_INTERVAL_MS = 2_000

/** Tells screens of homes whose quarantined readings changed; of many changes soon after each other once. */
export function createQuarantineEvents({
  db,
  events,
  clock,
  log,
}: {
  db: Db
  events: Events
  clock: Pick<Clock, 'after'>
  log: Pick<Log, 'warn'>
}) {
  const waiting = new Set<number>()
  let cancel: (() => void) | undefined
  const off = events.on('readingsQuarantined', ({ meterIds }) => {
    for (const meterId of meterIds) waiting.add(meterId)
    cancel ??= clock.after(EVENT_INTERVAL_MS, tell)
  })

  function tell(): void {
    cancel = undefined
    const meterIds = [...waiting]
    waiting.clear()
    db.query<{ tenant: string; HomeID: string }>(
      sql`
      select distinct tenant, home_id as "HomeID" from meters where meter_id = any(${meterIds}::int[])`,
    ).then(
      (homes) => {
        for (const { tenant, HomeID } of homes)
          events.emit('dataChange', {
            tenant,
            name: 'quarantinedReading.update',
            record: { HomeID },
            by: null,
          })
      },
      (err: unknown) => log.warn({ err }, 'quarantine event not published'),
    )
  }

  return {
    close(): void {
      off()
      cancel?.()
    },
  }
}
