import {
  MAX_DRAFTS,
  MAX_IMPORT_ROWS,
  MAX_NAMED_ROWS,
  MeterImport,
  type MeterImportCheck,
  type meterImports,
} from '../../../contract/meters/import-calls.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { type ImportFault, importFault } from '../../../contract/meters/meter-import.ts'
import {
  implausibleMonths,
  type MeterMonth,
  validateImportRows,
  meterNumbers,
  readMonths,
  applyImportRows,
  revertImportRows,
} from './meter-import-rows.ts'
import { dayOf, startOfMonth, DAY_MS } from '../../../contract/time/periods.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { createPartitions } from '../../store/partitions.ts'
import { findHome, lockHome } from '../../domain/homes/find-home.ts'
import { columnsOf } from '../../store/sql.ts'
import { isSerializationFailure } from '../../store/database-errors.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { readDraftMeters } from './import-energy.ts'
import { readFigures } from './import-figures.ts'
import type { ImportPorts, Rollup } from './ports.ts'

const MIN_MONTH_MS = 28 * DAY_MS
const JOURNAL = 200
/** Maximum number of trials if concurrent changes conflict. */
const MAX_ATTEMPTS = 5
/** Maximum difference that counts as rounding, kWh. */
const ROUNDING = 1e-6
const READINGS = { table: 'readings', unit: 1 } as const
const DAYS = { table: 'meter_days', unit: DAY_MS } as const

export const meterImportHandlers = (ports: ImportPorts): HandlersOf<typeof meterImports> => ({
  listMeterImport: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return db.query<MeterImport>(sql`select ${columnsOf(MeterImport)} from meter_imports
      where tenant = ${actor.tenant} and home_id = ${HomeID} and state <> 'draft'
      order by created_at desc, meter_import_id limit ${JOURNAL}`)
  },

  getMeterImport: async ({ HomeID, MeterImportID }, { db, actor }) => {
    const [record] = await db.query<ResultsOf<typeof meterImports.getMeterImport>>(sql`
      select ${columnsOf(MeterImport)}, trace as "Trace" from meter_imports
      where tenant = ${actor.tenant} and home_id = ${HomeID} and meter_import_id = ${MeterImportID}`)
    if (!record) throw importNotFound(MeterImportID)
    return record
  },

  createMeterImport: async ({ HomeID, FileName, FileHash, Kind, Trace }, context) => {
    const { db, actor, clock, random } = context
    await lockHome(db, actor.tenant, HomeID)
    const now = clock.now()
    await db.query(sql`delete from meter_imports where state = 'draft' and meter_import_id in (
      select meter_import_id from meter_imports where tenant = ${actor.tenant} and state = 'draft'
      order by created_at desc, meter_import_id offset ${MAX_DRAFTS - 1}::int)`)
    const record: MeterImport = {
      MeterImportID: random.uuid(),
      HomeID,
      FileName,
      FileHash,
      Kind,
      State: 'draft',
      Rows: 0,
      Added: 0,
      Meters: 0,
      FirstTimestamp: null,
      LastTimestamp: null,
      CreatedAt: now,
      By: actor.name,
      CommittedAt: null,
      UndoneAt: null,
      UndoneBy: null,
    }
    await db.query(sql`insert into meter_imports
        (meter_import_id, tenant, home_id, file_name, file_hash, kind, trace, state, created_at, created_by, by)
      values (${record.MeterImportID}, ${actor.tenant}, ${HomeID}, ${FileName}, ${FileHash}, ${Kind},
        ${JSON.stringify(Trace)}::jsonb, 'draft', ${now}, ${actor.cognitoId}, ${actor.name})`)
    context.audit({ input: { HomeID, FileName, FileHash, Kind, Trace: Trace.length }, after: record })
    return record
  },

  addMeterImportRows: async ({ Meters, Rows, ...key }, context) => {
    const { db, clock, log } = context
    const draft = await lockImport(key, context, 'draft')
    const numbers = await meterNumbers(context, key.HomeID, Meters)
    const count = Rows.Row.length
    if (draft.Rows + count > MAX_IMPORT_ROWS)
      throw new GatewayError('LIMIT_EXCEEDED', `An import has at most ${MAX_IMPORT_ROWS} rows`)
    const meterIds = Rows.Meter.map((place, index) => {
      const number = numbers[place]
      if (number === undefined)
        throw new GatewayError('INVALID', 'A row names no meter', { [`Rows.Meter.${index}`]: 'notFound' })
      return number
    })
    const now = clock.now()
    const isForgotten = await readExpiryCheck(ports, context, draft)
    const faults = Rows.Timestamp.map((timestamp, index): ImportFault | null => {
      const [quarters, value] = [Rows.Quarters[index] as number, Rows.Value[index] as number]
      const fault = importFault(draft.Kind, { timestamp, quarters, value }, now)
      return fault ?? (isForgotten(timestamp) ? 'forgotten' : null)
    })
    if (draft.Kind === 'counter')
      await createPartitions(db, log, READINGS).prepare(
        Rows.Timestamp.filter((_, index) => faults[index] === null),
        now,
      )
    const added = await db.query(sql`
      insert into meter_import_rows (meter_import_id, line, meter_id, timestamp, quarters, value, verdict)
      select ${key.MeterImportID}::uuid, * from unnest(${Rows.Row}::int[], ${meterIds}::int[], ${Rows.Timestamp}::bigint[],
        ${Rows.Quarters}::smallint[], ${Rows.Value}::float8[], ${faults}::text[])
      on conflict do nothing returning 1 as one`)
    await db.query(sql`update meter_imports set rows = rows + ${added.length}::int, implausible = false
      where meter_import_id = ${key.MeterImportID}`)
    context.audit({ input: { ...key, Meters, Rows: count } })
    return { Rows: draft.Rows + added.length }
  },

  checkMeterImport: async (key, context) => {
    const zone = await readZone(context, key.HomeID)
    await prepareDays(context, key)
    for (let attempt = 1; ; attempt++)
      try {
        const { check, isImplausible } = await tryImport(ports, key, context, zone)
        await context.db.query(sql`update meter_imports set implausible = ${isImplausible}
          where tenant = ${context.actor.tenant} and meter_import_id = ${key.MeterImportID}`)
        return check
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !isSerializationFailure(error)) throw error
      }
  },

  commitMeterImport: async ({ Sure, ...key }, context) => {
    const draft = await lockImport(key, context, 'draft')
    if (!Sure && (await isImplausible(key, context)))
      throw new GatewayError('INVALID', 'The check found energy that is not likely', { Sure: 'implausible' })
    if (draft.Kind === 'interval') await lockMeters(ports, context.db, draft)
    await validateImportRows(context.db, draft)
    const added = await applyImportRows(context, draft)
    const after: MeterImport = {
      ...draft,
      State: 'done',
      Added: added.reduce((sum, { count }) => sum + count, 0),
      Meters: added.length,
      FirstTimestamp: added.length ? Math.min(...added.map(({ first }) => first)) : null,
      LastTimestamp: added.length ? Math.max(...added.map(({ last }) => last)) : null,
      CommittedAt: context.clock.now(),
    }
    await context.db
      .query(sql`update meter_imports set state = 'done', added = ${after.Added}, meters = ${after.Meters},
        first_timestamp = ${after.FirstTimestamp}, last_timestamp = ${after.LastTimestamp}, committed_at = ${after.CommittedAt}
      where meter_import_id = ${key.MeterImportID}`)
    context.audit({ before: draft, after })
    context.change('metering.update', { HomeID: key.HomeID })
    return after
  },

  undoMeterImport: async (key, context) => {
    const before = await lockImport(key, context, 'done')
    await revertImportRows(context, before)
    const after: MeterImport = {
      ...before,
      State: 'undone',
      UndoneAt: context.clock.now(),
      UndoneBy: context.actor.name,
    }
    await context.db.query(sql`update meter_imports
      set state = 'undone', undone_at = ${after.UndoneAt}, undone_by = ${after.UndoneBy}
      where meter_import_id = ${key.MeterImportID}`)
    context.audit({ before, after })
    context.change('metering.update', { HomeID: key.HomeID })
    return after
  },
})

/**
 * Computes the effect of a draft on one snapshot, without readings that arrive meanwhile.
 *
 * isImplausible  whether a user must confirm it
 * errors         NOT_FOUND, CONFLICT; a serialization failure if concurrent changes conflict
 */
async function tryImport(
  ports: ImportPorts,
  key: Pick<MeterImport, 'HomeID' | 'MeterImportID'>,
  context: SignedIn,
  zone: string,
): Promise<{ check: MeterImportCheck; isImplausible: boolean }> {
  let found: { check: MeterImportCheck; isImplausible: boolean } | undefined
  await context.db
    .transaction(async (tx) => {
      await tx.query(sql`set transaction isolation level repeatable read`)
      const trial = { ...context, db: tx }
      const draft = await lockImport(key, trial, 'draft')
      // The lock keeps others from recomputing these meters during the trial.
      await lockMeters(ports, tx, draft)
      await validateImportRows(tx, draft)
      const counted = await countVerdicts(tx, draft)
      const meters = await readDraftMeters(tx, draft)
      await ports.rollUp(
        tx,
        meters.map(({ meterId }) => meterId),
      )
      const ids = meters.filter(({ hasNew }) => hasNew).map(({ meterId }) => meterId)
      const { isUnlike, ...figures } = await readFigures(ports, trial, { draft, meters, zone })
      const before = await readMonths(tx, ids)
      await applyImportRows(trial, draft)
      await ports.rollUp(tx, ids)
      const after = await readMonths(tx, ids)
      const implausible = implausibleMonths(before, after, await ports.readMaxKw(tx, ids))
      found = {
        check: {
          ...counted,
          ...figures,
          Months: compare(before, after, zone),
          Implausible: await nameMonths(tx, implausible, zone),
        },
        isImplausible: implausible.length > 0 || figures.OverLimitCount > 0 || isUnlike,
      }
      // Rolls the trial back.
      throw new Error('A trial is rolled back')
    })
    .catch((error: unknown) => {
      if (!found) throw error
    })
  return found as NonNullable<typeof found>
}

/**
 * Reads an import in this state and locks it until the transaction ends, after its home.
 *
 * errors  NOT_FOUND; CONFLICT if it is in another state
 */
async function lockImport(
  { HomeID, MeterImportID }: Pick<MeterImport, 'HomeID' | 'MeterImportID'>,
  { db, actor }: SignedIn,
  state: MeterImport['State'],
): Promise<MeterImport> {
  await lockHome(db, actor.tenant, HomeID)
  const [record] = await db.query<MeterImport>(sql`select ${columnsOf(MeterImport)} from meter_imports
    where tenant = ${actor.tenant} and home_id = ${HomeID} and meter_import_id = ${MeterImportID} for update`)
  if (!record) throw importNotFound(MeterImportID)
  if (record.State !== state) throw new GatewayError('CONFLICT', `The import is ${record.State}`)
  return record
}

const importNotFound = (id: string) => new GatewayError('NOT_FOUND', `Import ${id} does not exist`)

/** Whether readings or energy of a time have expired, so that imported rows would not be counted. */
async function readExpiryCheck(
  rollup: Rollup,
  context: SignedIn,
  { HomeID, Kind }: MeterImport,
): Promise<(timestamp: number) => boolean> {
  const floors = await rollup.readFloors(context.db)
  const zone = await readZone(context, HomeID)
  return (timestamp) =>
    (Kind === 'counter' && timestamp < floors.readings) || dayOf(timestamp, zone) < floors.days
}

/** Locks the meters of a draft: of concurrent imports of the same time, only the first is new. */
async function lockMeters(rollup: Rollup, db: Db, { MeterImportID }: MeterImport): Promise<void> {
  const rows = await db.query<{
    meterId: number
  }>(sql`select distinct meter_id as "meterId" from meter_import_rows
    where meter_import_id = ${MeterImportID} and verdict is null`)
  await rollup.lockMeters(
    db,
    rows.map(({ meterId }) => meterId),
  )
}

/** Creates the partitions of a draft's days in advance, as those created during a trial are rolled back. */
async function prepareDays(
  { db, actor, log, clock }: SignedIn,
  { MeterImportID }: Pick<MeterImport, 'MeterImportID'>,
): Promise<void> {
  const [span] = await db.query<{ from: number | null; through: number | null }>(sql`
    select min(r.timestamp) as from, max(r.timestamp) as through
    from meter_imports i join meter_import_rows r using (meter_import_id)
    where i.tenant = ${actor.tenant} and i.meter_import_id = ${MeterImportID} and r.verdict is null`)
  if (span?.from == null || span.through == null) return
  const times = [span.through]
  for (let at = span.from; at < span.through; at += MIN_MONTH_MS) times.push(at)
  await createPartitions(db, log, DAYS).prepare(times, clock.now())
}

async function readZone({ db, actor }: SignedIn, homeId: string): Promise<string> {
  const [home] = await db.query<{ zone: string }>(
    sql`select time_zone as zone from homes where tenant = ${actor.tenant} and home_id = ${homeId}`,
  )
  if (!home) throw new GatewayError('NOT_FOUND', `Home ${homeId} does not exist`)
  return home.zone
}

/** Numbers of rows by verdict, with the rows that a user should review. */
async function countVerdicts(
  db: Db,
  draft: MeterImport,
): Promise<Pick<MeterImportCheck, 'New' | 'Same' | 'Conflicting' | 'Faulty' | 'Conflicts' | 'Faults'>> {
  const rows = sql`meter_import_rows r where r.meter_import_id = ${draft.MeterImportID}`
  const counts = await db.query<{ verdict: string; count: number }>(
    sql`select coalesce(r.verdict, 'new') as verdict, count(*) as count from ${rows} group by r.verdict`,
  )
  const of = (verdict: string) => counts.find((each) => each.verdict === verdict)?.count ?? 0
  const valid = ['new', 'same', 'conflict']
  const Conflicting = of('conflict')
  const Faulty = counts.reduce((sum, { verdict, count }) => sum + (valid.includes(verdict) ? 0 : count), 0)
  return {
    New: of('new'),
    Same: of('same'),
    Conflicting,
    Faulty,
    Conflicts: Conflicting === 0 ? [] : await readConflicts(db, draft),
    Faults:
      Faulty === 0
        ? []
        : await db.query<{ Row: number; Fault: ImportFault }>(sql`
            select r.line as "Row", r.verdict as "Fault" from ${rows} and r.verdict <> all(${valid}::text[])
            order by r.line limit ${MAX_NAMED_ROWS}`),
  }
}

const readConflicts = (db: Db, { MeterImportID, Kind }: MeterImport) =>
  db.query<MeterImportCheck['Conflicts'][number]>(sql`
    select r.line as "Row", m.peripheral_uid as "PeripheralUID", r.timestamp as "Timestamp", r.value as "Value",
      s.accumulate_power as "Stored"
    from meter_import_rows r join meters m using (meter_id)
    left join readings s on ${Kind === 'counter'} and s.meter_id = r.meter_id and s.timestamp = r.timestamp
    where r.meter_import_id = ${MeterImportID} and r.verdict = 'conflict' order by r.line limit ${MAX_NAMED_ROWS}`)

/** Months that would change, in order. */
function compare(before: readonly MeterMonth[], after: readonly MeterMonth[], zone: string) {
  const [previous, current] = [sumByMonth(before), sumByMonth(after)]
  return [...new Set([...previous.keys(), ...current.keys()])]
    .filter((month) => {
      const [previousSum, currentSum] = [previous.get(month), current.get(month)]
      return (
        previousSum === undefined || currentSum === undefined || Math.abs(currentSum - previousSum) > ROUNDING
      )
    })
    .toSorted((a, b) => a - b)
    .map((month) => ({
      Timestamp: startOfMonth(month, zone),
      Before: previous.get(month) ?? null,
      After: current.get(month) ?? null,
    }))
}

function sumByMonth(months: readonly MeterMonth[]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const { month, kwh } of months) sums.set(month, (sums.get(month) ?? 0) + kwh)
  return sums
}

/** Implausible months, with the ids of their meters. */
async function nameMonths(
  db: Db,
  months: ReturnType<typeof implausibleMonths>,
  zone: string,
): Promise<MeterImportCheck['Implausible']> {
  const ids = [...new Set(months.map(({ meterId }) => meterId))]
  const rows = await db.query<{ meterId: number; uid: string }>(
    sql`select meter_id as "meterId", peripheral_uid as uid from meters where meter_id = any(${ids}::int[])`,
  )
  const uids = new Map(rows.map(({ meterId, uid }) => [meterId, uid]))
  return months.slice(0, MAX_NAMED_ROWS).map(({ meterId, month, kwh, limit }) => ({
    PeripheralUID: uids.get(meterId) ?? '',
    Timestamp: startOfMonth(month, zone),
    kWh: kwh,
    Limit: limit,
  }))
}

/** Whether the last check of a draft found energy that a user must confirm; rows added since are not checked. */
async function isImplausible(
  { MeterImportID }: Pick<MeterImport, 'MeterImportID'>,
  { db, actor }: SignedIn,
): Promise<boolean> {
  const [row] = await db.query<{ implausible: boolean }>(sql`select implausible from meter_imports
    where tenant = ${actor.tenant} and meter_import_id = ${MeterImportID}`)
  return row?.implausible ?? false
}
