import type { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import type { HandlersOf } from '../../../kernel/context.ts'
import type { QueryDeps } from '../query/context.ts'
import { getAggregation } from './aggregation.ts'
import { getBalance } from './balance.ts'
import { getCompanyEnergy } from './company-energy.ts'
import { getDays } from './days.ts'
import { getHistory } from './history.ts'
import { getMonthBesideYear } from './month-beside-year.ts'
import { getSeries } from './series.ts'
import { getStatuses } from './statuses.ts'

/** Calls of meterData, one file each. */
export const meterDataHandlers = (deps: QueryDeps): HandlersOf<typeof meterData> => ({
  getAggregationSummationData: (input, { actor }) => getAggregation(deps, actor.tenant, input),
  getEnergySeries: (input, { actor }) => getSeries(deps, actor.tenant, input),
  getCompanyEnergy: (input, { actor }) => getCompanyEnergy(deps, actor.tenant, input),
  getEnergyBalance: (input, { actor }) => getBalance(deps, actor.tenant, input),
  getDailySummationData: (input, { actor }) => getDays(deps, actor.tenant, input),
  getMonthBesideYear: (_, { actor }) => getMonthBesideYear(deps, actor.tenant),
  getAllMeterData: ({ HomeID }, { actor }) => getStatuses(deps, actor.tenant, HomeID),
  getHistoryStatusData: (input, { actor }) => getHistory(deps, actor.tenant, input),
  getLastHistoryStatusData: ({ HomeID, PeripheralUIDs }, { actor }) =>
    getStatuses(deps, actor.tenant, HomeID, PeripheralUIDs),
})
