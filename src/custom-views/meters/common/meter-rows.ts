import type { HistoryStatus } from '../../../../contract/energy/meter-data-calls.ts'
import { branchesOf, type MeterBranch, type TreeMeter } from '../../../../contract/meters/meter-tree.ts'

/** A row of the tree: a meter, or the remainder of a meter that its submeters do not cover. */
export interface MeterRow {
  key: string
  kind: 'meter' | 'remainder'
  PeripheralUID: string
  depth: number
  /** kWh; null if unknown. */
  today: number | null
  month: number | null
}

/** Recent energy of a meter and the time of its last report; null before the first. */
export type Totals = Pick<HistoryStatus, 'PeripheralUID' | 'DailyKwh' | 'MonthlyKwh' | 'LastUpdateTimestamp'>

/**
 * Rows of a home's meters from the top down, each followed by its submeters and their remainder. A negative remainder indicates
 * wrong wiring or wrong parents and is shown as it is. It is unknown if a submeter has counted before and is silent now, because
 * the remainder would include that meter's energy.
 *
 * meters  sorted by name
 */
export function meterRows(meters: readonly TreeMeter[], statuses: readonly Totals[]): MeterRow[] {
  const totals = new Map(statuses.map((status) => [status.PeripheralUID, status]))
  const rows: MeterRow[] = []
  const add = ({ PeripheralUID, below }: MeterBranch, depth: number) => {
    const total = totals.get(PeripheralUID)
    const [today, month] = [total?.DailyKwh ?? null, total?.MonthlyKwh ?? null]
    rows.push({ key: PeripheralUID, kind: 'meter', PeripheralUID, depth, today, month })
    if (below.length === 0) return
    for (const child of below) add(child, depth + 1)
    const less = (ownTotal: number | null, field: 'DailyKwh' | 'MonthlyKwh') =>
      below.reduce<number | null>((remaining, child) => {
        const total = totals.get(child.PeripheralUID)
        const part = total?.[field] ?? (total?.LastUpdateTimestamp ? null : 0)
        return remaining === null || part === null ? null : remaining - part
      }, ownTotal)
    rows.push({
      key: `${PeripheralUID}/rest`,
      kind: 'remainder',
      PeripheralUID,
      depth: depth + 1,
      today: less(today, 'DailyKwh'),
      month: less(month, 'MonthlyKwh'),
    })
  }
  for (const branch of branchesOf(meters)) add(branch, 0)
  return rows
}
