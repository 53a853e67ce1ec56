import type { HistorySeries } from '../../../contract/devices/history-calls.ts'
import type { ChartSpan, ChartStrip, TimeSeries } from '../../ui/chart/model.ts'
import { REST_COLOR, seriesColor, type SeriesColor } from '../../ui/chart/energy-colors.ts'
import { colors } from '../../ui/theme/theme.ts'
import { unitsOf, type ChosenQuantity } from './picks.ts'
import { meaningOfState, type QuantityWords } from './quantity-words.ts'

/** State of a device from a time on. */
export interface ReportedState {
  at: number
  /** Undefined while the state is unknown. */
  value: number | undefined
  /** Index in the series; undefined at the start or end of an unknown period, where no value is stored. */
  place?: number
}

/** Values of a series in ascending order; for a state also the times at which it became unknown and known again. */
export function reportedStates({ Timestamps, Values, Unknown }: HistorySeries): ReportedState[] {
  const [first] = Timestamps
  if (first === undefined) return []
  const states: ReportedState[] = []
  let place = 0
  let lastValue: number | undefined
  /** Consumes values while `matches` returns true; values within an unknown period only determine the state after it. */
  const consume = (matches: (at: number) => boolean, isKnown: boolean) => {
    for (; place < Timestamps.length && matches(Timestamps[place] as number); place++) {
      lastValue = Values[place]
      if (isKnown) states.push({ at: Timestamps[place] as number, value: lastValue, place })
    }
  }
  for (const { From, To: end } of Unknown) {
    const To = end ?? Infinity
    if (To <= first) continue
    consume((at) => at <= From, true)
    states.push({ at: Math.max(From, first), value: undefined })
    consume((at) => at < To, false)
    if (end !== null && Timestamps[place] !== end) states.push({ at: end, value: lastValue })
  }
  consume(() => true, true)
  return states
}

/** Removes repeated values. */
export const changesOf = (states: readonly ReportedState[]): ReportedState[] =>
  states.filter(({ value }, i) => i === 0 || value !== states[i - 1]?.value)

/** A chosen quantity with its stored values. */
export interface HistoryLine extends ChosenQuantity {
  label: string
  series: HistorySeries
  /** Omitted if the line has the color of its place among all lines. */
  color?: SeriesColor
}

/** Chosen quantities that a response has values for, in the order of the choice. */
export function historyLinesOf(
  selected: readonly ChosenQuantity[],
  answer: readonly HistorySeries[],
  label: (selected: ChosenQuantity) => string,
): HistoryLine[] {
  return selected.flatMap((choice) => {
    const series = answer.find(
      ({ PeripheralUID, Field }) =>
        PeripheralUID === choice.pick.PeripheralUID && Field === choice.pick.Field,
    )
    return series ? [{ ...choice, label: label(choice), series }] : []
  })
}

/** Measured quantities as lines, with one axis per unit. */
export function timeSeriesOf(lines: readonly HistoryLine[]): TimeSeries[] {
  const units = unitsOf(lines)
  return lines.flatMap(({ pick, label, quantity, series, color }, i) =>
    quantity.Kind === 'state'
      ? []
      : [
          {
            key: `${pick.PeripheralUID}:${pick.Field}`,
            label,
            color: color ?? seriesColor(i),
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
 * States as rows of spans, each until the next change; equal neighbors are merged.
 *
 * until  end of the last span: the end of the range, or now
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
/** Modes have no meaning of their own and use the series colors; off and normal are muted. */
const stateColor = (meaning: ReturnType<typeof meaningOfState>, value: number): SeriesColor =>
  meaning === 'quiet' ? REST_COLOR : meaning ? themed(meaning) : seriesColor(value)
