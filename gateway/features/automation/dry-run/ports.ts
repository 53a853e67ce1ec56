import type { HistorySeries } from '../../../../contract/devices/history-calls.ts'
import type { Db } from '../../../store/db.ts'
import type { Prices } from './energy-while-on.ts'

/** What a dry run needs of other features. */
export interface TryPorts {
  /** What is stored of some quantities of a home, one series for each, in order; from and to in epoch ms. */
  seriesOf(
    db: Db,
    place: { tenant: string; homeId: string },
    quantities: readonly { PeripheralUID: string; Field: string }[],
    range: { from: number; to: number; points: number; now: number },
  ): Promise<HistorySeries[]>
  /** The meters that a virtual meter adds; none of one that is not there. */
  termsOf(
    db: Db,
    place: { tenant: string; homeId: string },
    virtualMeterId: string,
  ): Promise<readonly { PeripheralUID: string; Factor: 1 | -1 }[]>
  /** The tariff of a home, day by day. */
  pricingOf(db: Db, tenant: string, homeId: string): Promise<Prices>
}
