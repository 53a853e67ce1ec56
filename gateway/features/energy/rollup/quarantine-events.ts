import type { Events } from '../../../kernel/events.ts'
import type { Clock, Log } from '../../../kernel/ports.ts'
import { type Db, sql } from '../../../kernel/db.ts'

/** Minimum interval between two events, ms: a broken hub may cause a quarantined reading every second. */
const EVENT_INTERVAL_MS = 2_000

/** Publishes a data change for homes whose quarantined readings changed; changes in quick succession are combined. */
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
  const pendingMeters = new Set<number>()
  let cancel: (() => void) | undefined
  const off = events.on('readingsQuarantined', ({ meterIds }) => {
    for (const meterId of meterIds) pendingMeters.add(meterId)
    cancel ??= clock.after(EVENT_INTERVAL_MS, emitPending)
  })

  function emitPending(): void {
    cancel = undefined
    const meterIds = [...pendingMeters]
    pendingMeters.clear()
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
