import type { HistoryStatus } from '../../../../contract/energy/meter-data-calls.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import type { Db } from '../../../store/db.ts'
import { demandOf } from './demand.ts'
import type { EnergyOptions } from './energy.ts'
import { flowsOfHome } from '../meters/home-flows.ts'
import { computedPercentOf } from '../rollup/backlog.ts'
import { firstDayOf, loadOfMeters } from './load-of-meters.ts'
import { loadProfile } from '../calls/load-profile.ts'
import { type HomeClock, readHomes, readMeters, readCountedMeters } from '../meters/meters.ts'
import { outdoorOf } from './outdoor.ts'
import { readMeterStatuses } from './readings.ts'
import { createSlotSums } from './slot-sums.ts'
import { createCurrentMeters } from '../meters/current-meters.ts'
import { soldByDay } from '../balance/sold-by-day.ts'

/** What the energy of homes amounts to in each interval, for those who make bills of it. */
export const createHomeEnergy = (options: Pick<EnergyOptions, 'db' | 'settle' | 'clock'>) => ({
  homeOf: (tenant: string, HomeID: string): Promise<HomeClock> => homeOf(options.db, tenant, HomeID),
  loadProfile: (
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
    flow?: 'import' | 'consumption',
  ) => loadProfile(options, tenant, home, fromDay, endDay, flow),
  hasBalance: async (tenant: string, { HomeID, zone }: HomeClock): Promise<boolean> =>
    flowsOfHome(await readCountedMeters(options.db, tenant, HomeID), zone).hasBalance,
  loadOfMeters: (tenant: string, home: HomeClock, ids: readonly string[], fromDay: number, endDay: number) =>
    loadOfMeters(options, tenant, home, ids, fromDay, endDay),
  firstDay: (tenant: string, home: HomeClock) => firstDayOf(options, tenant, home),
  computedPercent: (tenant: string, home: HomeClock, fromDay: number, endDay: number) =>
    computedPercent(options, tenant, home, fromDay, endDay),
  ...createCurrentMeters(options),
  boughtByMember: createSlotSums(options),
  outdoorOf: (tenant: string, home: HomeClock, fromDay: number, endDay: number) =>
    outdoorOf(options.db, tenant, home, fromDay, endDay),
  demandOf: (tenant: string, HomeID: string) => demandOf(options.db, tenant, HomeID),
  soldByDay: (tenant: string, home: HomeClock, fromDay: number, endDay: number) =>
    soldByDay(options, tenant, home, fromDay, endDay),
  statusOf: (tenant: string, HomeID: string, uid: string, now: number) =>
    statusOf(options, tenant, HomeID, uid, now),
})

/** Percent of some days of a home that is computed; undefined unless a backlog waits that touches them. The last day is exclusive. */
async function computedPercent(
  { db, settle }: Pick<EnergyOptions, 'db' | 'settle'>,
  tenant: string,
  { HomeID, zone }: HomeClock,
  fromDay: number,
  endDay: number,
): Promise<number | undefined> {
  const meters = await readMeters(db, tenant, HomeID)
  const ids = [...new Set(meters.flatMap(({ meterId }) => meterId ?? []))]
  return (await settle(db, ids)) ? undefined : computedPercentOf(db, ids, [[fromDay, endDay]], zone)
}

/** Errors: NOT_FOUND. */
async function homeOf(db: Db, tenant: string, HomeID: string): Promise<HomeClock> {
  const [home] = await readHomes(db, tenant, HomeID)
  if (!home) throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
  return home
}

/** A meter that is a device, as its last reading leaves it, with the energy of the hour, day and month that run; undefined for none. */
async function statusOf(
  { db, settle }: Pick<EnergyOptions, 'db' | 'settle'>,
  tenant: string,
  HomeID: string,
  uid: string,
  now: number,
): Promise<HistoryStatus | undefined> {
  const meter = (await readMeters(db, tenant, HomeID)).find(
    ({ PeripheralUID, removedAt }) => PeripheralUID === uid && removedAt === null,
  )
  if (!meter || meter.meterId === null) return undefined
  const isComputed = await settle(db, [meter.meterId])
  const [status] = await readMeterStatuses(db, await readHomes(db, tenant, HomeID), [meter], now, isComputed)
  return status
}
