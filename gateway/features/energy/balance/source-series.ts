import type { EnergyPoint, EnergySeries } from '../../../../contract/energy/meter-data-calls.ts'
import { cellOf, SOURCES } from '../../../../contract/energy/balance.ts'
import type { Db } from '../../../kernel/db.ts'
import type { HomeKey } from '../rollup/home-days.ts'
import { type BalanceQuery, cellsOf } from './site-balance.ts'

/**
 * Consumption of a home by source in each period. Cost and carbon belong to the import; own energy costs nothing. In a home without a
 * balance all consumption is imported.
 *
 * used  the consumption, which the sources and the unexplained energy add up to
 */
export async function sourceSeries(
  tx: Db,
  key: HomeKey,
  asked: BalanceQuery,
  used: readonly EnergyPoint[],
): Promise<EnergySeries[]> {
  if (!asked.flows.hasBalance) return [{ Key: 'import', Points: [...used] }]
  const cells = await cellsOf(tx, key, asked)
  const has = SOURCES.filter((source) => source === 'import' || asked.flows.of[source].meters.length > 0)
  return has.map((Key) => ({
    Key,
    Points: used.map((point, i): EnergyPoint => {
      const of = cells[i] as Float64Array
      // Once the days have expired, the source of the energy is unknown.
      const isKnown = point.kWh !== null && (point.kWh === 0 || of.some((kWh) => kWh > 0))
      const own = Key === 'import' ? {} : { Cost: isKnown ? 0 : null, CarbonKg: isKnown ? 0 : null }
      const kWh = isKnown ? Math.round((of[cellOf(Key, 'consumption')] as number) * 1e9) / 1e9 : null
      return { ...point, kWh, ...own }
    }),
  }))
}
