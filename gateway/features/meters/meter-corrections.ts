import { capabilityOf } from '../../../contract/devices/kinds/registry.ts'
import type {
  MeterCorrection,
  meterCorrections,
  QuarantinedReading,
} from '../../../contract/meters/correction-calls.ts'
import { dayOf, startOfDay } from '../../../contract/time/periods.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { findHome, lockHome } from '../../domain/homes/find-home.ts'
import { type Db, type Sql, empty, sql } from '../../kernel/db.ts'
import { lockMeterFacts, deleteFact, historyOfFact, upsertFact } from '../../domain/meters/meter-facts.ts'
import type { Rollup } from './ports.ts'
import { listQuarantinedReading } from './list-quarantined.ts'

export const meterCorrectionHandlers = (rollup: Rollup): HandlersOf<typeof meterCorrections> => ({
  listMeterCorrection: async ({ HomeID, PeripheralUID, Before, Limit }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    const narrowed = sql`${PeripheralUID === undefined ? empty : sql`and m.peripheral_uid = ${PeripheralUID}`}
      ${Before === undefined ? empty : sql`and c.created_at < ${Before}::bigint`}`
    return select(
      db,
      sql`c.tenant = ${actor.tenant} and c.home_id = ${HomeID} and c.import_id is null ${narrowed}
      order by c.created_at desc, c.correction_id limit ${Limit}::int`,
    )
  },

  createMeterCorrection: async (input, context) => {
    const { db, actor, clock, random } = context
    const { HomeID, PeripheralUID, Kind, From, kWh = null, OldKwh = null, NewKwh = null, Note } = input
    const To = input.To ?? From
    if (Math.max(From, To) > clock.now())
      throw new GatewayError('INVALID', 'This time has not come yet', {
        [Kind === 'interval' ? 'To' : 'From']: 'future',
      })
    await lockHome(db, actor.tenant, HomeID)
    const meterId = await lockMeter(rollup, context, HomeID, PeripheralUID)
    await assertNotExpired(rollup, context, input)
    await assertNoOverlap(db, meterId, { Kind, From, To })
    const id = random.uuid()
    await db.query(sql`
      insert into meter_corrections (correction_id, tenant, home_id, meter_id, kind, from_timestamp, to_timestamp, kwh,
        sharing, old_kwh, new_kwh, note, created_by, author_name, created_at)
      values (${id}, ${actor.tenant}, ${HomeID}, ${meterId}, ${Kind}, ${From}, ${To}, ${kWh},
        ${Kind === 'interval' ? input.Sharing : null}, ${OldKwh}, ${NewKwh}, ${Note}, ${actor.cognitoId}, ${actor.name},
        ${clock.now()})`)
    await rollup.markDirty(db, [{ meterId, from: From, through: To }])
    const [after] = await select(db, sql`c.correction_id = ${id}`)
    context.audit({ after })
    context.change('metering.update', { HomeID })
    return after as MeterCorrection
  },

  undoMeterCorrection: async ({ HomeID, CorrectionID }, context) => {
    const { db, actor, clock } = context
    await lockHome(db, actor.tenant, HomeID)
    const one = sql`c.tenant = ${actor.tenant} and c.home_id = ${HomeID} and c.correction_id = ${CorrectionID}`
    const [found] = await db.query<{ meterId: number }>(
      sql`select c.meter_id as "meterId" from meter_corrections c where ${one}`,
    )
    if (!found) throw new GatewayError('NOT_FOUND', `Correction ${CorrectionID} does not exist`)
    await rollup.lockMeters(db, [found.meterId])
    const [before] = await select(db, one)
    if (!before || before.UndoneAt !== null)
      throw new GatewayError('CONFLICT', 'This correction was taken back already')
    await db.query(
      sql`update meter_corrections c set undone_at = ${clock.now()}, undone_by = ${actor.name} where ${one}`,
    )
    await rollup.markDirty(db, [{ meterId: found.meterId, from: before.From, through: before.To }])
    const [after] = await select(db, one)
    context.audit({ before, after })
    context.change('metering.update', { HomeID })
    return after as MeterCorrection
  },

  listQuarantinedReading: listQuarantinedReading(rollup),

  decideQuarantinedReading: async ({ HomeID, Readings, Decision, LimitKw }, context) => {
    const { db, actor, clock } = context
    if (LimitKw === undefined) await lockHome(db, actor.tenant, HomeID)
    else await lockMeterFacts(db, actor.tenant, HomeID)
    const uids = [...new Set(Readings.map(({ PeripheralUID }) => PeripheralUID))]
    const meters = await db.query<{ meterId: number; uid: string }>(sql`
      select meter_id as "meterId", peripheral_uid as uid from meters
      where tenant = ${actor.tenant} and home_id = ${HomeID} and peripheral_uid = any(${uids})`)
    const idOf = new Map(meters.map(({ meterId, uid }) => [uid, meterId]))
    await rollup.lockMeters(db, [...idOf.values()])
    const keys = sql`unnest(${Readings.map((one) => idOf.get(one.PeripheralUID) ?? 0)}::int[],
      ${Readings.map(({ Timestamp }) => Timestamp)}::bigint[])`
    const found = await db.query<Quarantined>(sql`
      select q.meter_id as "meterId", q.timestamp, q.value, q.reason, q.decision, q.decided_by as "decidedBy"
      from (select distinct * from ${keys} as a (meter_id, timestamp)) a
      join quarantined_readings q on q.meter_id = a.meter_id and q.timestamp = a.timestamp
      order by 1, 2`)
    const known = new Map(found.map((one) => [`${one.meterId}/${one.timestamp}`, one]))
    const asItIs = Readings.map((one) => known.get(`${idOf.get(one.PeripheralUID)}/${one.Timestamp}`))
    const missing = asItIs.indexOf(undefined)
    if (missing >= 0)
      throw new GatewayError('NOT_FOUND', 'This reading is not quarantined', {
        [`Readings.${missing}`]: 'notFound',
      })
    const unseen = Readings.findIndex(({ Value, Decided }, index) => {
      const { decision, value } = asItIs[index] as Quarantined
      return decision !== Decision && (decision !== Decided || (Value !== undefined && Value !== value))
    })
    if (unseen >= 0) {
      const { decision, decidedBy } = asItIs[unseen] as Quarantined
      const reason = decision === null ? 'This reading has changed' : `${decidedBy} ${decision} this reading`
      throw new GatewayError('CONFLICT', `${reason} meanwhile`, { [`Readings.${unseen}`]: 'changed' })
    }
    const changed = found.filter(({ decision }) => decision !== Decision)
    await exchange(db, changed, Decision)
    await db.query(sql`
      update quarantined_readings q set decision = ${Decision}, decided_by = ${actor.name}, decided_at = ${clock.now()}
      from unnest(${changed.map(({ meterId }) => meterId)}::int[], ${changed.map(({ timestamp }) => timestamp)}::bigint[])
        as a (meter_id, timestamp)
      where q.meter_id = a.meter_id and q.timestamp = a.timestamp`)
    await rollup.markDirty(
      db,
      changed.map(({ meterId, timestamp }) => ({ meterId, from: timestamp, through: timestamp })),
    )
    if (LimitKw !== undefined) await setMeterLimit(rollup, context, { HomeID, Readings, LimitKw })
    context.audit({ before: changed, after: { Decision, ...(LimitKw !== undefined && { LimitKw }) } })
    context.change('metering.update', { HomeID })
    return { Decided: changed.length }
  },
})

interface Quarantined {
  meterId: number
  timestamp: number
  value: number
  reason: QuarantinedReading['Reason']
  decision: 'accepted' | 'dropped' | null
  decidedBy: string | null
}

/**
 * Moves quarantined readings into the stored ones, or back: the two values of a conflict are swapped, an invalid one is inserted or
 * deleted.
 */
async function exchange(
  db: Db,
  readings: readonly Quarantined[],
  decision: 'accepted' | 'dropped',
): Promise<void> {
  const readingsWith = (reason: string) => {
    const allowed = readings.filter(
      (one) => one.reason === reason && (decision === 'accepted') !== (one.decision === 'accepted'),
    )
    return sql`unnest(${allowed.map(({ meterId }) => meterId)}::int[], ${allowed.map(({ timestamp }) => timestamp)}::bigint[],
      ${allowed.map(({ value }) => value)}::float8[]) as a (meter_id, timestamp, value)`
  }
  await db.query(sql`
    with stored as (
      select r.meter_id, r.timestamp, r.accumulate_power, a.value from readings r
      join ${readingsWith('conflict')} on r.meter_id = a.meter_id and r.timestamp = a.timestamp
    ), counted as (
      update readings r set accumulate_power = s.value from stored s
      where r.meter_id = s.meter_id and r.timestamp = s.timestamp
    )
    update quarantined_readings q set value = s.accumulate_power from stored s
    where q.meter_id = s.meter_id and q.timestamp = s.timestamp`)
  if (decision === 'accepted')
    await db.query(sql`insert into readings (meter_id, timestamp, accumulate_power)
      select * from ${readingsWith('invalid')} on conflict do nothing`)
  else
    await db.query(sql`delete from readings r using ${readingsWith('invalid')}
      where r.meter_id = a.meter_id and r.timestamp = a.timestamp and r.accumulate_power = a.value`)
}

const select = (db: Db, where: Sql): Promise<MeterCorrection[]> =>
  db.query<MeterCorrection>(sql`
    select c.correction_id as "CorrectionID", c.home_id as "HomeID", m.peripheral_uid as "PeripheralUID",
      m.peripheral_name as "PeripheralName", c.kind as "Kind", c.from_timestamp as "From", c.to_timestamp as "To",
      c.kwh as "kWh", c.sharing as "Sharing", c.old_kwh as "OldKwh", c.new_kwh as "NewKwh", c.note as "Note",
      c.author_name as "AuthorName", c.created_at as "CreatedAt", c.undone_at as "UndoneAt", c.undone_by as "UndoneBy"
    from meter_corrections c join meters m on m.meter_id = c.meter_id where ${where}`)

/** Finds the number of a present or former meter of the home and locks it until the transaction ends. Errors: NOT_FOUND. */
async function lockMeter(
  rollup: Rollup,
  { db, actor }: SignedIn,
  homeId: string,
  uid: string,
): Promise<number> {
  const [device] = await db.query<{ type: string; meterId: number | null }>(sql`
    select coalesce(p.peripheral_type, m.peripheral_type, '') as type, m.meter_id as "meterId"
    from (select ${actor.tenant}::uuid as tenant, ${homeId} as home_id, ${uid} as uid) w
    left join meters m on m.tenant = w.tenant and m.home_id = w.home_id and m.peripheral_uid = w.uid
    left join peripherals p on p.tenant = w.tenant and p.home_id = w.home_id
      and p.peripheral_uid = split_part(w.uid, '.', 1)`)
  if (!device || (device.meterId === null && capabilityOf(device.type, 'meter') === undefined))
    throw new GatewayError('NOT_FOUND', `Meter ${uid} does not exist`)
  let { meterId } = device
  if (meterId === null) {
    const [created] = await db.query<{ meterId: number }>(sql`
      insert into meters as m (tenant, home_id, peripheral_uid) values (${actor.tenant}, ${homeId}, ${uid})
      on conflict (tenant, home_id, peripheral_uid) do update set home_id = m.home_id returning meter_id as "meterId"`)
    meterId = (created as { meterId: number }).meterId
  }
  await rollup.lockMeters(db, [meterId])
  return meterId
}

/** Rejects times whose readings or intervals have expired, as they cannot be computed again. Errors: INVALID. */
async function assertNotExpired(
  rollup: Rollup,
  { db, actor }: SignedIn,
  { HomeID, Kind, From }: Pick<MeterCorrection, 'HomeID' | 'Kind' | 'From'>,
): Promise<void> {
  const floors = await rollup.readFloors(db)
  const [home] = await db.query<{ zone: string }>(
    sql`select time_zone as zone from homes where tenant = ${actor.tenant} and home_id = ${HomeID}`,
  )
  const isExpired =
    (Kind === 'replacement' && From < floors.readings) || dayOf(From, home?.zone ?? 'UTC') < floors.days
  if (isExpired)
    throw new GatewayError('INVALID', 'The readings of that time are not kept any more', { From: 'past' })
}

/** Errors: CONFLICT naming the correction that overlaps. */
async function assertNoOverlap(
  db: Db,
  meterId: number,
  { Kind, From, To }: Pick<MeterCorrection, 'Kind' | 'From' | 'To'>,
): Promise<void> {
  const overlapping =
    Kind === 'interval'
      ? sql`from_timestamp < ${To}::bigint and to_timestamp > ${From}::bigint`
      : sql`from_timestamp = ${From}::bigint`
  const [other] = await db.query<{ id: string; from: number; to: number; author: string }>(sql`
    select correction_id as id, from_timestamp as from, to_timestamp as to, author_name as author from meter_corrections
    where meter_id = ${meterId} and undone_at is null and kind = ${Kind} and ${overlapping} order by from_timestamp limit 1`)
  if (!other) return
  const period = [other.from, other.to].map((at) => new Date(at).toISOString()).join(' – ')
  throw new GatewayError(
    'CONFLICT',
    `Correction ${other.id} of ${other.author} already says so for ${period}`,
    {
      From: 'overlap',
    },
  )
}

/** Readings of one meter, and its maximum power from the day of the earliest on, kW. */
interface Raised {
  HomeID: string
  Readings: readonly { PeripheralUID: string; Timestamp: number }[]
  LimitKw: number
}

/** Sets a meter's maximum power from a day on and deletes later values; its readings from then on are judged again. */
async function setMeterLimit(
  rollup: Rollup,
  { db, actor, clock }: SignedIn,
  { HomeID, Readings, LimitKw }: Raised,
): Promise<void> {
  const { zone } = await lockMeterFacts(db, actor.tenant, HomeID)
  const MeterID = Readings[0]?.PeripheralUID ?? ''
  const key = { tenant: actor.tenant, HomeID, MeterID }
  const from = dayOf(Math.min(...Readings.map(({ Timestamp }) => Timestamp)), zone)
  for (const laterFact of await historyOfFact(db, key, 'limit'))
    if (laterFact.from > from) await deleteFact(db, key, 'limit', laterFact.from)
  await upsertFact(db, key, 'limit', { from, value: LimitKw }, { by: actor.name, at: clock.now() })
  const meters = await db.query<{ meterId: number }>(sql`select meter_id as "meterId" from meters
    where tenant = ${actor.tenant} and home_id = ${HomeID} and peripheral_uid = ${MeterID}`)
  await rollup.markDirty(
    db,
    meters.map(({ meterId }) => ({ meterId, from: startOfDay(from, zone), through: 8.64e15 })),
  )
}
