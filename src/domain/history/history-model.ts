import type { HistorySeries } from '../../../contract/devices/history-calls.ts'
import type { ChartSpan, ChartStrip, TimeSeries } from '../../ui/chart/model.ts'
import { REST_COLOR, seriesColor, type SeriesColor } from '../../ui/chart/energy-colors.ts'
import { colors } from '../../ui/theme/theme.ts'
import { unitsOf, type ChosenQuantity } from './picks.ts'
import { meaningOfState, type QuantityWords } from './quantity-words.ts'
import { changesOf, reportedStates } from './reported-states.ts'

/** A chosen quantity with what is stored of it. */
export interface HistoryLine extends ChosenQuantity {
  label: string
  series: HistorySeries
}

/** The chosen quantities of which an answer has the values; the order is the choice's. */
export function historyLinesOf(
  chosen: readonly ChosenQuantity[],
  answer: readonly HistorySeries[],
  label: (chosen: ChosenQuantity) => string,
): HistoryLine[] {
  return chosen.flatMap((one) => {
    const series = answer.find(
      ({ PeripheralUID, Field }) => PeripheralUID === one.pick.PeripheralUID && Field === one.pick.Field,
    )
    return series ? [{ ...one, label: label(one), series }] : []
  })
}

/** What was measured, as lines; one unit has one axis. */
export function drawn(lines: readonly HistoryLine[]): TimeSeries[] {
  const units = unitsOf(lines)
  return lines.flatMap(({ pick, label, quantity, series }, i) =>
    quantity.Kind === 'state'
      ? []
      : [
          {
            key: `${pick.PeripheralUID}:${pick.Field}`,
            label,
            color: seriesColor(i),
            draw: 'line',
            axis: units.indexOf(quantity.Unit) === 1 ? 1 : 0,
            times: series.Timestamps,
            values: series.Values,
            ...(series.Min && { low: series.Min }),
            ...(series.Max && { high: series.Max }),
            ...(series.GapMs !== null && { gapMs: series.GapMs }),
          } satisfies TimeSeries,
        ],
  )
}

/**
 * States as rows of spans, each until the next change; equal neighbours are one.
 *
 * until  the last one holds until here: the end of the range, or now
 */
export function strips(lines: readonly HistoryLine[], until: number, words: QuantityWords): ChartStrip[] {
  return lines.flatMap(({ pick, label, device, quantity, series }) => {
    if (quantity.Kind !== 'state') return []
    const spans = changesOf(reportedStates(series)).map(({ at, value }, i, all): ChartSpan => ({
      from: at,
      to: all[i + 1]?.at ?? Math.max(at, until),
      label: words.stateName(device, pick.Field, value),
      ...(value === undefined
        ? { color: REST_COLOR, unknown: true }
        : { color: stateColor(meaningOfState(device, pick.Field, value), value) }),
    }))
    return [{ key: `${pick.PeripheralUID}:${pick.Field}`, label, named: true, spans }]
  })
}

const themed = (name: 'on' | 'warning' | 'alarm'): SeriesColor => ({
  light: colors.light[name],
  dark: colors.dark[name],
})
/** Modes, which mean nothing by themselves, are told apart by the colours of series; off and normal stay quiet. */
const stateColor = (meaning: ReturnType<typeof meaningOfState>, value: number): SeriesColor =>
  meaning === 'quiet' ? REST_COLOR : meaning ? themed(meaning) : seriesColor(value)
