import type { Sample } from './intervals.ts'
import { MAX_POWER_KW, type MaxKw, type Reading } from './validate-readings.ts'

/** A meter that gave way to another, as a person says. */
export interface Replacement {
  /** Epoch ms. */
  at: number
  /** What the old one showed last and the new one first, in kWh. */
  oldKwh: number
  newKwh: number
}

/** The end of the old meter and the beginning of the new. */
const endsOf = ({ at, oldKwh, newKwh }: Replacement): Reading[] => [
  { timestamp: at, kwh: oldKwh, accepted: true },
  { timestamp: at, kwh: newKwh, restarts: true, accepted: true },
]

/**
 * Readings with what people say of replacements. A reading of the very moment of one is the old meter's where it is nearer to what
 * that showed last than to what the new one showed first. What the counter moved between the two belongs to the time since the
 * reading before: a replacement or a rollover may be entered at the moment of the first new reading.
 *
 * readings      of one meter, ascending
 * replacements  at most one of each moment
 * before        the last reading before these; undefined where there is none
 * maxKw         the most that the meter may pass: a reading of the moment that implies more is left to be judged
 */
export function withReplacements(
  readings: readonly Reading[],
  replacements: readonly Replacement[],
  before?: Sample,
  maxKw: MaxKw = MAX_POWER_KW,
): Reading[] {
  if (replacements.length === 0) return [...readings]
  const replacementAt = new Map(replacements.map((one) => [one.at, one]))
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
  // Equals stay in their order.
  return merged.sort((a, b) => a.timestamp - b.timestamp)
}

/** A replacement with the reading of its moment, where the meter reported last at `previous`. */
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
  const moved = kwh - newKwh
  const isPossible =
    previous !== undefined &&
    moved > 0 &&
    (moved * 3_600_000) / (timestamp - previous) <= (typeof maxKw === 'number' ? maxKw : maxKw(timestamp))
  return isPossible
    ? [
        { ...end, kwh: oldKwh + moved },
        { ...start, kwh },
      ]
    : [end, start, reading]
}
