import type { Reading } from './judge-readings.ts'

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
 * that showed last than to what the new one showed first, and then comes before it.
 *
 * readings      of one meter, ascending
 * replacements  at most one of each moment
 */
export function withReplacements(
  readings: readonly Reading[],
  replacements: readonly Replacement[],
): Reading[] {
  if (replacements.length === 0) return [...readings]
  const isOld = ({ timestamp, kwh }: Reading): boolean =>
    replacements.some(
      ({ at, oldKwh, newKwh }) => at === timestamp && Math.abs(kwh - oldKwh) < Math.abs(kwh - newKwh),
    )
  const parts = [readings.filter(isOld), replacements.flatMap(endsOf), readings.filter((one) => !isOld(one))]
  // Equals stay in their order.
  return parts.flat().sort((a, b) => a.timestamp - b.timestamp)
}
