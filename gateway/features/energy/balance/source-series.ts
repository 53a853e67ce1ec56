import type { EnergyPoint, EnergySeries } from '../../../../contract/energy/meter-data-calls.ts'
import { cellOf, SOURCES } from '../../../../contract/energy/balance.ts'
import type { Db } from '../../../store/db.ts'
import type { HomeKey } from '../rollup/home-days.ts'
import { type BalanceQuery, cellsOf } from './site-balance.ts'

/**
 * What a home used by where it came from, in each period. Of money and carbon, which are of what is bought, the import bears all; what
 * is its own costs nothing. Of a home without a balance all it used is bought.
 *
 * used  the consumption, which the sources add up to, with what is unexplained
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
      // Where days are not kept any more, nobody knows where the energy came from.
      const isKnown = point.kWh !== null && (point.kWh === 0 || of.some((kWh) => kWh > 0))
      const own = Key === 'import' ? {} : { Cost: isKnown ? 0 : null, CarbonKg: isKnown ? 0 : null }
      const kWh = isKnown ? Math.round((of[cellOf(Key, 'consumption')] as number) * 1e9) / 1e9 : null
      return { ...point, kWh, ...own }
    }),
  }))
}
