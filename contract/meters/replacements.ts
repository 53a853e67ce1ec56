import type { Sample } from './intervals.ts'
import { MAX_POWER_KW, type MaxKw, type Reading } from './validate-readings.ts'

/** Meter replacement, as entered by a person. */
export interface Replacement {
  /** Epoch ms. */
  at: number
  /** Last value of the old meter and first value of the new one, in kWh. */
  oldKwh: number
  newKwh: number
}

/** Samples of the old meter's end and the new meter's beginning. */
const endsOf = ({ at, oldKwh, newKwh }: Replacement): Reading[] => [
  { timestamp: at, kwh: oldKwh, accepted: true },
  { timestamp: at, kwh: newKwh, restarts: true, accepted: true },
]

/**
 * Merges replacements into readings. A reading at the exact time of a replacement belongs to the old meter if it is closer to that
 * meter's last value than to the new meter's first. The counter's increase beyond the new meter's first value belongs to the time since
 * the previous reading, so a replacement or rollover may be entered at the time of the first new reading.
 *
 * readings      of one meter, ascending
 * replacements  at most one per timestamp
 * before        last reading before these; undefined if there is none
 * maxKw         maximum power of the meter: a reading at the same time that implies more is left to validation
 */
export function withReplacements(
  readings: readonly Reading[],
  replacements: readonly Replacement[],
  before?: Sample,
  maxKw: MaxKw = MAX_POWER_KW,
): Reading[] {
  if (replacements.length === 0) return [...readings]
  const replacementAt = new Map(replacements.map((replacement) => [replacement.at, replacement]))
  const merged: Reading[] = []
  let previous = before?.timestamp
  for (const reading of readings) {
    const replacement = replacementAt.get(reading.timestamp)
    if (replacement) {
      replacementAt.delete(reading.timestamp)
      merged.push(...mergeReading(reading, replacement, previous, maxKw))
    } else merged.push(reading)
    previous = reading.timestamp
  }
  merged.push(...[...replacementAt.values()].flatMap(endsOf))
  // The sort is stable.
  return merged.sort((a, b) => a.timestamp - b.timestamp)
}

/** Merges a replacement with the reading at the same time; the meter last reported at `previous`. */
function mergeReading(
  reading: Reading,
  replacement: Replacement,
  previous: number | undefined,
  maxKw: MaxKw,
): Reading[] {
  const { kwh, timestamp } = reading
  const { oldKwh, newKwh } = replacement
  const [end, start] = endsOf(replacement) as [Reading, Reading]
  if (Math.abs(kwh - oldKwh) < Math.abs(kwh - newKwh))
    return kwh < oldKwh ? [end, start] : [reading, end, start]
  const offset = kwh - newKwh
  const isPossible =
    previous !== undefined &&
    offset > 0 &&
    (offset * 3_600_000) / (timestamp - previous) <= (typeof maxKw === 'number' ? maxKw : maxKw(timestamp))
  return isPossible
    ? [
        { ...end, kwh: oldKwh + offset },
        { ...start, kwh },
      ]
    : [end, start, reading]
}
