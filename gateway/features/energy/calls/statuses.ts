import type { HistoryStatus } from '../../../../contract/energy/meter-data-calls.ts'
import { readHomes, readMeters } from '../meters/meters.ts'
import { meterIdsOf, type QueryDeps } from '../query/context.ts'
import { readMeterStatuses } from '../query/readings.ts'
import { filterMeters } from '../query/resolve-meters.ts'
import { type EnergyDeps, ensureFresh } from '../rollup/freshness.ts'

/**
 * §3 History status per meter: the last status of the given meters, or of every meter that is a device, of one home or of all. Errors:
 * NOT_FOUND.
 */
export async function getStatuses(
  deps: QueryDeps,
  tenant: string,
  HomeID?: string,
  ids?: readonly string[],
): Promise<HistoryStatus[]> {
  const { db, clock } = deps
  const now = clock.now()
  if (HomeID !== undefined) {
    const { home, meters, isDirty } = await deps.openHome(tenant, HomeID)
    const wanted = ids ? filterMeters(meters, ids) : meters.filter(({ removedAt }) => removedAt === null)
    const isFresh = await ensureFresh(deps, isDirty ? meterIdsOf(wanted) : [])
    return readMeterStatuses(db, [home], wanted, now, isFresh)
  }
  const meters = (await readMeters(db, tenant)).filter(({ removedAt }) => removedAt === null)
  const isFresh = await ensureFresh(deps, meterIdsOf(meters))
  return readMeterStatuses(db, await readHomes(db, tenant), meters, now, isFresh)
}

/** Last status of one meter that is a device; undefined if there is no such meter. */
export async function getStatus(
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
  const homes = await readHomes(deps.db, tenant, HomeID)
  const [status] = await readMeterStatuses(deps.db, homes, [meter], now, isFresh)
  return status
}
