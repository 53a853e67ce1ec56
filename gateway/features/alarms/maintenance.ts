import { MAX_MAINTENANCE_MS, Maintenance, type maintenances } from '../../../contract/alarms/calls.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { findHome, lockHome } from '../../domain/homes/find-home.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'
import { columnsOf } from '../../store/sql.ts'
import { sql } from '../../kernel/db.ts'
import { raisePreexistingAlarms } from './raise-preexisting.ts'
import type { UpdateStateAlarms } from './state/update-state-alarms.ts'

const COLUMNS = sql`${columnsOf(Maintenance.omit({ By: true }))}, started_by as "By"`

export const createMaintenanceHandlers = (
  updateStateAlarms: UpdateStateAlarms,
): HandlersOf<typeof maintenances> => ({
  listMaintenance: async ({ HomeID }, { db, actor, clock }) => {
    if (HomeID !== undefined) await findHome(db, actor.tenant, HomeID)
    return db.query<Maintenance>(sql`select ${COLUMNS} from maintenances where tenant = ${actor.tenant}
      and ${HomeID === undefined ? sql`true` : sql`home_id = ${HomeID}`} and ended_at is null and until > ${clock.now()}::bigint
      order by until, maintenance_id`)
  },

  startMaintenance: async (input, context) => {
    const { db, actor, clock, random } = context
    const { HomeID, Scope, Subject, Until, Reason } = input
    const now = clock.now()
    if (Until <= now) throw new GatewayError('INVALID', 'This moment is over', { Until: 'past' })
    if (Until > now + MAX_MAINTENANCE_MS)
      throw new GatewayError('INVALID', 'Maintenance ends after 90 days at most', { Until: 'tooBig' })
    await lockHome(db, actor.tenant, HomeID)
    await assertSubject(input, context)
    // An expired maintenance that no gateway has ended yet must not block a new one.
    await db.query(sql`update maintenances set ended_at = until where tenant = ${actor.tenant} and scope = ${Scope}
      and subject = ${Subject} and ended_at is null and until <= ${now}::bigint`)
    const after: Maintenance = { ...input, MaintenanceID: random.uuid(), By: actor.name, StartedAt: now }
    await conflictOnUniqueViolation(
      'Subject',
      'This is in maintenance already',
      db.query(sql`insert into maintenances (maintenance_id, tenant, home_id, scope, subject, until, reason, started_by, started_at)
        values (${after.MaintenanceID}, ${actor.tenant}, ${HomeID}, ${Scope}, ${Subject}, ${Until}, ${Reason}, ${actor.name}, ${now})`),
    )
    context.audit({ after })
    context.change('maintenance.update', { HomeID })
    return after
  },

  endMaintenance: async (key, context) => {
    const { db, actor, clock } = context
    const { HomeID, MaintenanceID } = key
    const now = clock.now()
    await lockHome(db, actor.tenant, HomeID)
    const isThis = sql`tenant = ${actor.tenant} and home_id = ${HomeID} and maintenance_id = ${MaintenanceID}`
    const [before] = await db.query<Maintenance & { endedAt: number | null }>(
      sql`select ${COLUMNS}, ended_at as "endedAt" from maintenances where ${isThis} for update`,
    )
    if (!before) throw new GatewayError('NOT_FOUND', `Maintenance ${MaintenanceID} does not exist`)
    const { endedAt, ...record } = before
    if (endedAt !== null)
      throw new GatewayError('CONFLICT', 'This maintenance has ended already', { MaintenanceID: 'changed' })
    await db.query(sql`update maintenances set ended_at = ${now}, ended_by = ${actor.name} where ${isThis}`)
    // Raises the alarms that maintenance suppressed.
    const raised = await raisePreexistingAlarms(
      db,
      updateStateAlarms,
      sql`s.tenant = ${actor.tenant} and s.home_id = ${HomeID}`,
      now,
      true,
    )
    if (raised.length > 0) context.change('alarm.update', { HomeID })
    for (const alarm of raised) context.emit('alarmChanged', alarm)
    context.audit({ before: record })
    context.change('maintenance.update', { HomeID })
    return key
  },
})

/** Asserts that the subject of a maintenance is in the home. Errors: NOT_FOUND, INVALID. */
async function assertSubject(
  { HomeID, Scope, Subject }: Pick<Maintenance, 'HomeID' | 'Scope' | 'Subject'>,
  { db, actor }: SignedIn,
): Promise<void> {
  if (Scope === 'home') {
    if (Subject !== HomeID)
      throw new GatewayError('INVALID', 'The subject is not this home', { Subject: 'invalid' })
    return
  }
  const inHome = sql`tenant = ${actor.tenant} and home_id = ${HomeID}`
  const found = await db.query(
    Scope === 'hub'
      ? sql`select 1 from things where ${inHome} and thing_name = ${Subject}`
      : sql`select 1 from peripherals where ${inHome} and peripheral_uid = ${Subject}`,
  )
  if (found.length === 0)
    throw new GatewayError('NOT_FOUND', `${Subject} does not exist in this home`, { Subject: 'notFound' })
}
