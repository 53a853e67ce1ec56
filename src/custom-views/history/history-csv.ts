import { formatIso, formatWall } from '../../lib/export/table.ts'
import { BYTE_ORDER_MARK, csvText } from '../../lib/export/text-files.ts'
import { type HistoryLine, reportedStates } from '../../domain/history/history-model.ts'
import type { QuantityWords } from '../../domain/history/quantity-words.ts'

export interface CsvHeadings {
  time: string
  iso: string
  device: string
  /** Two devices may have the same name. */
  id: string
  quantity: string
  value: string
  unit: string
  /** Length of a bucket, in seconds. */
  span: string
  minHeading: string
  maxHeading: string
  state: string
}

/**
 * Visible part of the chart as CSV (RFC 4180) with a byte-order mark: a line per value, one quantity after the other, because each has
 * its own times. Values are as stored, power in W; a bucket has its mean, length in seconds, minimum and maximum. The start and end of
 * a time in which a state is unknown have a line without a value.
 *
 * view  epoch ms, `to` exclusive
 * zone  the home's time zone
 */
export function historyCsv(
  lines: readonly HistoryLine[],
  view: { from: number; to: number },
  { zone, headings, words }: { zone: string; headings: CsvHeadings; words: QuantityWords },
): string {
  const { time, iso, device, id, quantity, value, unit, span, minHeading, maxHeading, state } = headings
  const rows = [
    [time, iso, device, id, quantity, value, unit, span, minHeading, maxHeading, state].map(csvText),
  ]
  for (const line of lines) {
    const { series } = line
    const { PeripheralUID } = line.device
    const ownHeadings = [
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
        ...ownHeadings,
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
