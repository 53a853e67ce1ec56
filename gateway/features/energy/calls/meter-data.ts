import type { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import type { HandlersOf } from '../../../kernel/context.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import type { Energy } from './energy.ts'
import { companyEnergy } from './company-energy.ts'
import { monthBesideYear } from './month-beside-year.ts'

export const meterDataHandlers = (energy: Energy): HandlersOf<typeof meterData> => ({
  getAggregationSummationData: (input, { actor }) => energy.aggregation(actor.tenant, input),

  getEnergySeries: (input, { actor }) => energy.series(actor.tenant, input),

  getCompanyEnergy: (input, { db, actor }) =>
    companyEnergy({ db, series: energy.series }, actor.tenant, input),

  getEnergyBalance: (input, { actor }) => energy.balance(actor.tenant, input),

  getDailySummationData: ({ HomeID, Days }, { actor }) => energy.days(actor.tenant, HomeID, Days),

  getMonthBesideYear: (_, { db, clock, actor }) =>
    monthBesideYear({ db, clock, series: energy.series }, actor.tenant),

  getAllMeterData: ({ HomeID }, { actor }) => energy.statuses(actor.tenant, HomeID),

  getHistoryStatusData: async ({ From, To, Cursor, Limit, ...key }, { db, actor }) => {
    await findHome(db, actor.tenant, key.HomeID)
    return energy.history(actor.tenant, key, { from: Math.max(From, Cursor ?? From), to: To, limit: Limit })
  },

  getLastHistoryStatusData: ({ HomeID, PeripheralUIDs }, { actor }) =>
    energy.statuses(actor.tenant, HomeID, PeripheralUIDs),
})
