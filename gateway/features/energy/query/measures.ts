import type { createHomeEnergy } from './home-energy.ts'

/** Names a home of a company. */
interface HomeKey {
  tenant: string
  homeId: string
}

/**
 * What automations ask of energy. A demand is known only when every meter that makes it reports; of the contract capacity in force
 * nothing is known yet, so that its share is not.
 */
export const measuresOf = (energy: Pick<ReturnType<typeof createHomeEnergy>, 'demandOf' | 'statusOf'>) => ({
  async demandOf({ tenant, homeId }: HomeKey, at: number) {
    const { Rolling, Forecast, Reporting, Meters } = await (await energy.demandOf(tenant, homeId)).now(at)
    const isWhole = Meters > 0 && Reporting === Meters
    return { Rolling: isWhole ? Rolling : null, Forecast: isWhole ? Forecast : null, Share: null }
  },
  async sumsOf({ tenant, homeId }: HomeKey, uid: string, at: number) {
    const {
      HourlyKwh = null,
      DailyKwh = null,
      MonthlyKwh = null,
    } = (await energy.statusOf(tenant, homeId, uid, at)) ?? {}
    return { HourlyKwh, DailyKwh, MonthlyKwh }
  },
})
