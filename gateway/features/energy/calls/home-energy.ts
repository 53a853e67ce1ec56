import { GatewayError } from '../../../kernel/errors.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { readDemand } from '../query/demand.ts'
import { flowsOfHome } from '../meters/home-flows.ts'
import { meterIdsOf, type QueryDeps } from '../query/context.ts'
import { computedPercentOf, type EnergyDeps, ensureFresh } from '../rollup/freshness.ts'
import { readFirstDay, loadOfMeters, createCurrentMeters } from '../query/load-of-meters.ts'
import { loadProfile } from '../query/load-profile.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import { readHomes, readMeters, readCountedMeters } from '../meters/meters.ts'
import { createSlotSums } from '../balance/slot-sums.ts'
import { soldByDay } from '../balance/sold-by-day.ts'
import { startOfDay } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/sql.ts'
import type { HistoryStatus } from '../../../../contract/energy/meter-data-calls.ts'
import { readMeterStatuses } from '../query/readings.ts'
import { filterMeters } from '../query/resolve-meters.ts'

const MINUTE = 60_000
/** Minimum number of different hours with a sample that make a day count. */
const MIN_HOURS = 18

/**
 * Mean outdoor temperature by day, °C, from the configured sensor of the home, or else from its devices that report an outdoor temperature.
 *
 * fromDay, endDay  day numbers (`dayOf`), `endDay` exclusive
 * returns          only days on which a device reported in most hours
 */
async function readOutdoor(
  db: Db,
  tenant: string,
  { HomeID, zone }: HomeClock,
  fromDay: number,
  endDay: number,
): Promise<Map<number, number>> {
  const series = await db.query<{ id: number }>(sql`
    select s.series_id as id from sample_series s
    left join outdoor_sensors o on o.tenant = s.tenant and o.home_id = s.home_id
    where s.tenant = ${tenant} and s.home_id = ${HomeID} and case when o.field is null then s.field = 'OutdoorTemperature'
      else s.peripheral_uid = o.peripheral_uid and s.field = o.field end`)
  if (series.length === 0) return new Map()
  const days = Array.from({ length: Math.max(0, endDay - fromDay) }, (_, i) => fromDay + i)
  const starts = days.map((day) => startOfDay(day, zone) / MINUTE)
  const ends = days.map((day) => startOfDay(day + 1, zone) / MINUTE)
  const rows = await db.query<{ day: number; celsius: number }>(sql`
    select d.day, avg(t.mean) as celsius
    from unnest(${numberArray(days)}::int[], ${numberArray(starts)}::int[], ${numberArray(ends)}::int[])
      as d (day, start, stop)
    cross join unnest(${numberArray(series.map(({ id }) => id))}::int[]) as m (id)
    cross join lateral (select avg(value) as mean, count(distinct minute / 60) as hours from device_samples
      where series_id = m.id and minute >= d.start and minute < d.stop) t
    where t.hours >= ${MIN_HOURS}::int group by 1`)
  return new Map(rows.map(({ day, celsius }) => [day, celsius]))
}

/** Energy of homes per interval, for features that compute bills from it. */
export const createHomeEnergy = (deps: EnergyDeps) => ({
  readHome: (tenant: string, HomeID: string): Promise<HomeClock> => readHome(deps.db, tenant, HomeID),
  loadProfile: (
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
    flow?: 'import' | 'consumption',
  ) => loadProfile(deps, tenant, home, fromDay, endDay, flow),
  hasBalance: async (tenant: string, { HomeID, zone }: HomeClock): Promise<boolean> =>
    flowsOfHome(await readCountedMeters(deps.db, tenant, HomeID), zone).hasBalance,
  loadOfMeters: (tenant: string, home: HomeClock, ids: readonly string[], fromDay: number, endDay: number) =>
    loadOfMeters(deps, tenant, home, ids, fromDay, endDay),
  readFirstDay: (tenant: string, home: HomeClock) => readFirstDay(deps, tenant, home),
  computedPercent: (tenant: string, home: HomeClock, fromDay: number, endDay: number) =>
    computedPercent(deps, tenant, home, fromDay, endDay),
  ...createCurrentMeters(deps),
  boughtByMember: createSlotSums(deps),
  readOutdoor: (tenant: string, home: HomeClock, fromDay: number, endDay: number) =>
    readOutdoor(deps.db, tenant, home, fromDay, endDay),
  readDemand: (tenant: string, HomeID: string) => readDemand(deps.db, tenant, HomeID),
  soldByDay: (tenant: string, home: HomeClock, fromDay: number, endDay: number) =>
    soldByDay(deps, tenant, home, fromDay, endDay),
  statusOf: (tenant: string, HomeID: string, uid: string, now: number) =>
    getStatus(deps, tenant, HomeID, uid, now),
})

/** Computed percentage of some days of a home; undefined unless they have a backlog. `endDay` is exclusive. */
async function computedPercent(
  deps: EnergyDeps,
  tenant: string,
  { HomeID, zone }: HomeClock,
  fromDay: number,
  endDay: number,
): Promise<number | undefined> {
  const ids = meterIdsOf(await readMeters(deps.db, tenant, HomeID))
  return (await ensureFresh(deps, ids))
    ? undefined
    : computedPercentOf(deps.db, ids, [[fromDay, endDay]], zone)
}

/** Errors: NOT_FOUND. */
async function readHome(db: Db, tenant: string, HomeID: string): Promise<HomeClock> {
  const [home] = await readHomes(db, tenant, [HomeID])
  if (!home) throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
  return home
}

/** §3 History status per meter of a home: the last status of the given meters, or of every meter that is a device. Errors: NOT_FOUND. */
export async function getStatuses(
  deps: QueryDeps,
  tenant: string,
  HomeID: string,
  ids?: readonly string[],
): Promise<HistoryStatus[]> {
  const { home, meters, isDirty } = await deps.openHome(tenant, HomeID)
  const requested = ids ? filterMeters(meters, ids) : meters.filter(({ removedAt }) => removedAt === null)
  const isFresh = await ensureFresh(deps, isDirty ? meterIdsOf(requested) : [])
  return readMeterStatuses(deps.db, [home], requested, deps.clock.now(), isFresh)
}

/** Last status of every meter that is a device in homes of a company; null means all. */
export async function getStatusesOfHomes(
  deps: QueryDeps,
  tenant: string,
  visible: readonly string[] | null,
): Promise<HistoryStatus[]> {
  const { db, clock } = deps
  const homes = await readHomes(db, tenant, visible)
  const known = new Set(homes.map(({ HomeID }) => HomeID))
  const meters = (await readMeters(db, tenant)).filter(
    ({ HomeID, removedAt }) => removedAt === null && known.has(HomeID),
  )
  const isFresh = await ensureFresh(deps, meterIdsOf(meters))
  return readMeterStatuses(db, homes, meters, clock.now(), isFresh)
}

/** Last status of one meter that is a device; undefined if there is no such meter. */
async function getStatus(
  deps: EnergyDeps,
  tenant: string,
  HomeID: string,
  uid: string,
  now: number,
): Promise<HistoryStatus | undefined> {
  const meter = (await readMeters(deps.db, tenant, HomeID)).find(
    ({ PeripheralUID, removedAt }) => PeripheralUID === uid && removedAt === null,
  )
  if (!meter || meter.meterId === null) return undefined
  const isFresh = await ensureFresh(deps, [meter.meterId])
  const homes = await readHomes(deps.db, tenant, [HomeID])
  const [status] = await readMeterStatuses(deps.db, homes, [meter], now, isFresh)
  return status
}
