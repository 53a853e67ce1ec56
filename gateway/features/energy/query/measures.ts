import { VIRTUAL_PREFIX } from '../../../../contract/resources/virtual-meter.ts'
import type { Db } from '../../../store/db.ts'
import type { createHomeEnergy } from './home-energy.ts'
import { virtualMetersOf } from './meters.ts'

/** Names a home of a company. */
interface HomeKey {
  tenant: string
  homeId: string
}

/** What is asked of tariffs: the demand that a home's contract allows at a moment, kW; null where nothing is agreed. */
export type CapacityOf = (
  db: Db,
  tenant: string,
  home: { HomeID: string; zone: string },
  at: number,
) => Promise<number | null>

const SUMS = ['HourlyKwh', 'DailyKwh', 'MonthlyKwh'] as const
type Sums = Record<(typeof SUMS)[number], number | null>

type Energy = Pick<ReturnType<typeof createHomeEnergy>, 'demandOf' | 'statusOf' | 'homeOf'>

/**
 * What automations ask of energy. A demand is known only when every meter that makes it reports, and its share, of the last 15 minutes,
 * only where a capacity is agreed; a sum of a virtual meter, when it is known of each of its meters.
 */
export const measuresOf = (db: Db, energy: Energy, capacityOf: CapacityOf) => ({
  async demandOf({ tenant, homeId }: HomeKey, at: number) {
    const { Rolling, Forecast, Reporting, Meters } = await (await energy.demandOf(tenant, homeId)).now(at)
    if (Meters === 0 || Reporting < Meters) return { Rolling: null, Forecast: null, Share: null }
    const capacity = await capacityOf(db, tenant, await energy.homeOf(tenant, homeId), at)
    const Share = Rolling !== null && capacity !== null && capacity > 0 ? (Rolling / capacity) * 100 : null
    return { Rolling, Forecast, Share }
  },
  async sumsOf({ tenant, homeId }: HomeKey, uid: string, at: number): Promise<Sums> {
    if (!uid.startsWith(VIRTUAL_PREFIX)) return sumsOfMeter(energy, { tenant, homeId }, uid, at)
    const [virtual] = await virtualMetersOf(db, tenant, homeId, [uid])
    const terms = await Promise.all(
      (virtual?.Terms ?? []).map(async ({ PeripheralUID, Factor }) => ({
        Factor,
        sums: await sumsOfMeter(energy, { tenant, homeId }, PeripheralUID, at),
      })),
    )
    const total = (field: keyof Sums) =>
      terms.length === 0 || terms.some(({ sums }) => sums[field] === null)
        ? null
        : terms.reduce((sum, { Factor, sums }) => sum + Factor * (sums[field] ?? 0), 0)
    return Object.fromEntries(SUMS.map((field) => [field, total(field)])) as Sums
  },
})

/** What a contract guard asks of energy: a forecast is known only when every meter that makes the home's total reports. */
export const guardedDemand =
  (energy: Pick<Energy, 'demandOf'>) => async (tenant: string, homeId: string, at: number) => {
    const demand = await energy.demandOf(tenant, homeId)
    const { Forecast, Reporting, Meters, AsOf } = await demand.now(at)
    const isKnown = Meters > 0 && Reporting === Meters
    return { forecast: isKnown ? Forecast : null, asOf: AsOf, slowest: await demand.slowest(at) }
  }

async function sumsOfMeter(
  energy: Energy,
  { tenant, homeId }: HomeKey,
  uid: string,
  at: number,
): Promise<Sums> {
  const {
    HourlyKwh = null,
    DailyKwh = null,
    MonthlyKwh = null,
  } = (await energy.statusOf(tenant, homeId, uid, at)) ?? {}
  return { HourlyKwh, DailyKwh, MonthlyKwh }
}
