import type { HistorySeries } from '../../../../contract/devices/history-calls.ts'
import type { Db } from '../../../kernel/db.ts'
import type { Prices } from './energy-while-on.ts'

/** Dependencies of dry runs on other features. */
export interface TryPorts {
  /** Stored series of some quantities of a home, one each, in order; from and to in epoch ms. */
  readSeries(
    db: Db,
    place: { tenant: string; homeId: string },
    quantities: readonly { PeripheralUID: string; Field: string }[],
    range: { from: number; to: number; points: number; now: number },
  ): Promise<HistorySeries[]>
  /** Meters that a virtual meter adds; empty if it does not exist. */
  readTerms(
    db: Db,
    place: { tenant: string; homeId: string },
    virtualMeterId: string,
  ): Promise<readonly { PeripheralUID: string; Factor: 1 | -1 }[]>
  readPricing(db: Db, tenant: string, homeId: string): Promise<Prices>
}
