import type { Deps, Job } from '../../deps.ts'
import { sql } from '../../store/db.ts'
import { noteStanding } from './note-standing.ts'
import { tellAlarms } from '../../lib/tell-alarms.ts'

/** How late a maintenance that is over may be noticed, in ms. */
const EVERY = 15_000

/** Ends maintenance whose time is over, and raises what it kept back. */
export const endMaintenance = ({ db, clock, events }: Pick<Deps, 'db' | 'clock' | 'events'>): Job => ({
  name: 'maintenance',
  every: EVERY,
  async run() {
    const now = clock.now()
    const { homes, raised } = await db.transaction(async (tx) => {
      const homes = await tx.query<{ tenant: string; homeId: string }>(sql`
        with due as (select maintenance_id from maintenances where ended_at is null and until <= ${now}::bigint
          order by maintenance_id for update skip locked)
        update maintenances m set ended_at = m.until from due where m.maintenance_id = due.maintenance_id
        returning m.tenant, m.home_id as "homeId"`)
      const raised = []
      for (const { tenant, homeId } of homes)
        raised.push(...(await noteStanding(tx, sql`s.tenant = ${tenant} and s.home_id = ${homeId}`, now)))
      return { homes, raised }
    })
    for (const { tenant, homeId: HomeID } of homes)
      events.emit('dataChange', { tenant, name: 'maintenance.update', record: { HomeID }, by: null })
    tellAlarms(events, raised)
  },
})
