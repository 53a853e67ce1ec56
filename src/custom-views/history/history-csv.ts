import { formatIso, formatWall } from '../../lib/export/table.ts'
import { BYTE_ORDER_MARK, csvText } from '../../lib/export/text-files.ts'
import type { HistoryLine } from '../../domain/history/history-model.ts'
import type { QuantityWords } from '../../domain/history/quantity-words.ts'
import { reportedStates } from '../../domain/history/reported-states.ts'

/** What the columns are called. */
export interface CsvHeadings {
  time: string
  iso: string
  device: string
  /** Two devices may have one name. */
  id: string
  quantity: string
  value: string
  unit: string
  /** How long a mean is of, in seconds. */
  span: string
  least: string
  most: string
  state: string
}

/**
 * What is on the screen as CSV (RFC 4180) with a byte-order mark: a line for each value, the quantities one after the other,
 * because each has moments of its own. Values are as stored, power in W; of a bucket its mean, how many seconds that is of, and
 * its least and greatest. From when on nobody could know a state has a line without a value, and so has from when on one could.
 *
 * view  only what is in it: epoch ms, `to` exclusive
 * zone  the home's clock
 */
export function historyCsv(
  lines: readonly HistoryLine[],
  view: { from: number; to: number },
  { zone, headings, words }: { zone: string; headings: CsvHeadings; words: QuantityWords },
): string {
  const { time, iso, device, id, quantity, value, unit, span, least, most, state } = headings
  const rows = [[time, iso, device, id, quantity, value, unit, span, least, most, state].map(csvText)]
  for (const line of lines) {
    const { series } = line
    const { PeripheralUID } = line.device
    const own = [
      words.deviceName(line.device),
      PeripheralUID,
      words.quantityName(line.device, line.quantity),
    ].map(csvText)
    for (const { at, value, place } of reportedStates(series)) {
      if (at < view.from || at >= view.to) continue
      const bucket = place !== undefined && series.Min !== null
      rows.push([
        formatWall(at, zone),
        formatIso(at, zone),
        ...own,
        String(value ?? ''),
        csvText(series.Unit),
        bucket ? String(series.BucketMs / 1000) : '',
        bucket ? String(series.Min?.[place]) : '',
        bucket ? String(series.Max?.[place]) : '',
        series.Kind === 'state' ? csvText(words.stateName(line.device, series.Field, value)) : '',
      ])
    }
  }
  return BYTE_ORDER_MARK + rows.map((cells) => `${cells.join(',')}\r\n`).join('')
}
