import type { HistoryStatus } from '../../../contract/procedures/meter-data.ts'

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

interface Standing {
  PeripheralUID: string
  ParentMeter: string | null
}
type Totals = Pick<HistoryStatus, 'PeripheralUID' | 'DailyKwh' | 'MonthlyKwh' | 'LastUpdateTimestamp'>

/**
 * The meters of a home from the top down, each followed by those below it and by what none of them saw. A remainder below
 * zero is a fault of wiring or of who stands below whom, and is shown as it is; it is unknown where a meter below has counted
 * before and is silent now: its part would seem to be the remainder's. A loop, which parents remembered from
 * different times can close, is opened at its first meter.
 *
 * meters  in the order of their names
 */
export function meterRows(meters: readonly Standing[], statuses: readonly Totals[]): MeterRow[] {
  const totals = new Map(statuses.map((status) => [status.PeripheralUID, status]))
  const known = new Set(meters.map(({ PeripheralUID }) => PeripheralUID))
  const below = new Map<string, Standing[]>()
  for (const meter of meters) {
    const parent = meter.ParentMeter !== null && known.has(meter.ParentMeter) ? meter.ParentMeter : ''
    const others = below.get(parent)
    if (others) others.push(meter)
    else below.set(parent, [meter])
  }
  const rows: MeterRow[] = []
  const seen = new Set<string>()
  const add = ({ PeripheralUID }: Standing, depth: number) => {
    if (seen.has(PeripheralUID)) return
    seen.add(PeripheralUID)
    const total = totals.get(PeripheralUID)
    const [today, month] = [total?.DailyKwh ?? null, total?.MonthlyKwh ?? null]
    rows.push({ key: PeripheralUID, kind: 'meter', PeripheralUID, depth, today, month })
    const children = below.get(PeripheralUID) ?? []
    if (children.length === 0) return
    for (const child of children) add(child, depth + 1)
    const less = (whole: number | null, field: 'DailyKwh' | 'MonthlyKwh') =>
      children.reduce<number | null>((left, child) => {
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
  for (const meter of below.get('') ?? []) add(meter, 0)
  for (const meter of meters) add(meter, 0)
  return rows
}
