import type { HistoryStatus } from '../../../contract/energy/meter-data-calls.ts'
import { branchesOf, type MeterBranch, type TreeMeter } from '../../../contract/meters/meter-tree.ts'

/** A line of the tree: a meter, or what the meters below one did not see of it. */
export interface MeterRow {
  key: string
  kind: 'meter' | 'remainder'
  PeripheralUID: string
  /** 0 at the top. */
  depth: number
  /** kWh; null where nothing is known. */
  today: number | null
  month: number | null
}

/** What a meter counted lately, and when it told last; null before it ever did. */
export type Totals = Pick<HistoryStatus, 'PeripheralUID' | 'DailyKwh' | 'MonthlyKwh' | 'LastUpdateTimestamp'>

/**
 * The meters of a home from the top down, each followed by those below it and by what none of them saw. A remainder below
 * zero is a fault of wiring or of who stands below whom, and is shown as it is; it is unknown where a meter below has counted
 * before and is silent now: its part would seem to be the remainder's.
 *
 * meters  in the order of their names
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
    const less = (whole: number | null, field: 'DailyKwh' | 'MonthlyKwh') =>
      below.reduce<number | null>((left, child) => {
        const total = totals.get(child.PeripheralUID)
        const part = total?.[field] ?? (total?.LastUpdateTimestamp ? null : 0)
        return left === null || part === null ? null : left - part
      }, whole)
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
